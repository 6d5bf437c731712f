import { IconLock } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode, SyntheticEvent } from 'react';
import { Panel } from '../../elements/page.js';
import { useTexts } from '../../language/language.js';
import { type Typing, useOrderEdit } from '../edit/use-order-edit.js';
import { HeaderInput } from './header-input.js';
import { LockedInput } from './locked-input.js';
import { FIELDS } from './texts.js';
import classes from './fields.module.css';

/** What a user may type into the head of an order now, and what was typed before that ended. */
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

/** By itself, so that fields are not painted anew with each cell that is typed into. */
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its fields
    <form className={classes.form} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      {children}
    </form>
  );
}
