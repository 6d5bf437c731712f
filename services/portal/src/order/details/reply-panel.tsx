import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy, IconLock } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode, SyntheticEvent } from 'react';
import { STATES } from '../../components/loading-and-errors/texts.js';
import { Panel } from '../../components/page.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { type Typing, useOrderEdit } from '../edit/use-order-edit.js';
import { shownDate } from '../fields/dates.js';
import { HEADER_FIELDS, type HeaderField, type Value } from '../fields/header-fields.js';
import { HeaderInput } from '../fields/header-input.js';
import { FIELDS } from '../fields/texts.js';
import styles from '../../theme/text.module.css';
import classes from '../fields/fields.module.css';

/** Header fields that the user may edit now, and edits of fields that were locked since. */
export function ReplyPanel({ typing }: { typing: Typing }) {
  const texts = useTexts(FIELDS);
  const { head } = typing;
  const { editable, locked, errors } = head;
  if (editable.length === 0 && locked.length === 0) return null;
  const isReply = [...editable, ...locked].includes('vendor_reply_xfd');
  return (
    <Panel title={isReply ? texts.reply : texts.shipment}>
      <ReplyForm typing={typing}>
        {locked.length > 0 && (
          <p className={classes.locked}>
            <IconLock size={14} aria-hidden />
            {texts.locked}
          </p>
        )}
        {locked.map((field) => (
          <LockedInput key={field} field={field} value={head.valueOf(field)} />
        ))}
        {editable.map((field) => (
          <HeaderInput key={field} field={field} edit={head} error={errors[field]} />
        ))}
      </ReplyForm>
    </Panel>
  );
}

/** A separate component, so that the fields do not rerender with each edited cell. */
function ReplyForm({ typing, children }: { typing: Typing; children: ReactNode }) {
  const { save } = useOrderEdit(typing);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') submit(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its fields
    <form className={classes.form} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      {children}
    </form>
  );
}

/** Edit of a locked field, with a button to copy it. */
function LockedInput({ field, value }: { field: HeaderField; value: Value }) {
  const texts = useTexts(FIELDS);
  const terms = useTexts(TERMS);
  const { date } = useFormats();
  const states = useTexts(STATES);
  const shown = value === null ? texts.none : HEADER_FIELDS[field].input === 'date' ? shownDate(value, date) : value;
  return (
    <div className={classes.kept}>
      <span className={styles.quiet}>{terms[HEADER_FIELDS[field].term]}</span>
      <span className={classes.keptValue}>{shown}</span>
      <CopyButton value={shown}>
        {({ copied, copy }) => (
          <ActionIcon size="xs" onClick={copy} aria-label={copied ? states.copied : states.copy}>
            {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
