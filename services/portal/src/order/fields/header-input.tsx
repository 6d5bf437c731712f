import { Skeleton, TextInput, Textarea } from '@mantine/core';
import { lazy } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { Part } from '../../states/part.js';
import { DayDelta } from '../side/day-delta.js';
import { HEADER_FIELDS, type HeaderField } from './header-fields.js';
import { FIELDS } from './texts.js';
import type { HeaderEdit } from './use-header-edit.js';
import classes from './fields.module.css';

/** The calendar is for those who may set a date. */
const DateField = lazy(() => import('./date-field.js'));

/** One field of an order's head to type into. */
export function HeaderInput(props: { field: HeaderField; edit: HeaderEdit; error: string | undefined }) {
  const { field, edit, error } = props;
  const texts = useTexts(FIELDS);
  const terms = useTexts(TERMS);
  const { date } = useFormats();
  const { order, draft } = edit;
  const value = edit.valueOf(field);
  const type = (next: string | null) => edit.type(field, next);
  const own = {
    error,
    label: (
      <>
        {terms[HEADER_FIELDS[field].term]}
        {draft.mine.has(field) && <span className={classes.mark} role="img" aria-label={texts.notSaved} />}
      </>
    ),
  };
  switch (field) {
    case 'vendor_reply_xfd':
      return (
        <Part skeleton={<Skeleton height={76} />}>
          <DateField
            {...own}
            value={value}
            onChange={type}
            around={order.originalXfd}
            description={
              <>
                {texts.original(date(order.originalXfd))} {value && <DayDelta from={order.originalXfd} to={value} />}
              </>
            }
          />
        </Part>
      );
    case 'vendor_reply_comment':
      return (
        <Textarea
          {...own}
          value={value ?? ''}
          autosize
          minRows={2}
          maxRows={10}
          onChange={(event) => type(event.target.value)}
        />
      );
    case 'vendor_reply_factory':
    case 'container_number':
    case 'tracking_number':
      return (
        <TextInput
          {...own}
          value={value ?? ''}
          description={
            field === 'vendor_reply_factory' && order.originalFactory
              ? texts.original(order.originalFactory)
              : undefined
          }
          onChange={(event) => type(event.target.value)}
        />
      );
  }
}
