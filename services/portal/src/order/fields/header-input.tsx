import { Skeleton, TextInput, Textarea } from '@mantine/core';
import { lazy } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { AsyncBoundary } from '../../components/loading-and-errors/states.js';
import { DayDelta } from './day-delta.js';
import { HEADER_FIELDS, type HeaderField, isUnread } from './header-fields.js';
import { FIELDS } from './texts.js';
import { type HeaderEdit, idOf } from './use-header-edit.js';
import classes from './fields.module.css';

/** Loaded lazily, because only users who may set a date need the calendar. */
const DateField = lazy(() => import('./date-field.js'));

export function HeaderInput(props: { field: HeaderField; edit: HeaderEdit; error: string | undefined }) {
  const { field, edit, error } = props;
  const texts = useTexts(FIELDS);
  const terms = useTexts(TERMS);
  const { date } = useFormats();
  const { order, draft } = edit;
  const value = edit.valueOf(field);
  const type = (next: string | null) => edit.type(field, next);
  const own = {
    id: idOf(field),
    error,
    label: (
      <>
        {terms[HEADER_FIELDS[field].term]}
        {draft.mine.has(field) && <span data-dot className={classes.mark} role="img" aria-label={texts.notSaved} />}
      </>
    ),
  };
  const { input, negotiated } = HEADER_FIELDS[field];
  const original = (negotiated && order[negotiated.original]) ?? null;
  switch (input) {
    case 'date':
      return (
        <AsyncBoundary skeleton={<Skeleton height={76} />}>
          <DateField
            {...own}
            value={value}
            onChange={type}
            around={original ?? order.poDate}
            description={
              original && (
                <>
                  {texts.original(date(original))}{' '}
                  {value && !isUnread(field, value) && <DayDelta from={original} to={value} />}
                </>
              )
            }
          />
        </AsyncBoundary>
      );
    case 'lines':
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
    case 'text':
      return (
        <TextInput
          {...own}
          value={value ?? ''}
          description={original ? texts.original(original) : undefined}
          onChange={(event) => type(event.target.value)}
        />
      );
  }
}
