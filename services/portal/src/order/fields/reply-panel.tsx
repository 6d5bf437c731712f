import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type KeyboardEvent, type SyntheticEvent } from 'react';
import { Panel } from '../../elements/page.js';
import { useTexts } from '../../language/language.js';
import { ProblemLine } from '../../states/problem.js';
import { HeaderInput } from './header-input.js';
import { LockedInput } from './locked-input.js';
import { FIELDS } from './texts.js';
import type { HeaderEdit } from './use-header-edit.js';
import classes from './fields.module.css';

/** What a user may type into the head of an order now, and what was typed before that ended. */
export function ReplyPanel({ edit }: { edit: HeaderEdit }) {
  const texts = useTexts(FIELDS);
  const { editable, locked, draft, merge, isSaving, error, errors } = edit;
  if (editable.length === 0 && locked.length === 0) return null;
  const isReply = [...editable, ...locked].includes('vendor_reply_xfd');
  const unsaved = draft.mine.size;
  const inTheWay = merge.conflicts.length > 0;
  const canSave = unsaved > 0 && locked.length === 0 && !isSaving && !inTheWay;
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    if (canSave) void edit.save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isSave = (event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter');
    if (!isSave) return;
    event.stopPropagation();
    save(event);
  };
  return (
    <Panel
      title={isReply ? texts.reply : texts.shipment}
      beside={
        <span className={classes.state} role="status">
          {isSaving ? texts.saving : unsaved > 0 && texts.unsaved(unsaved)}
        </span>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its fields */}
      <form className={classes.form} onSubmit={save} onKeyDown={onKeyDown} noValidate>
        {locked.length > 0 && (
          <p className={classes.locked}>
            <IconLock size={14} aria-hidden />
            {texts.locked}
          </p>
        )}
        {locked.map((field) => (
          <LockedInput key={field} field={field} value={edit.valueOf(field)} />
        ))}
        {editable.map((field) => (
          <HeaderInput key={field} field={field} edit={edit} error={errors[field]} />
        ))}
        {error && Object.keys(errors).length === 0 && <ProblemLine error={error} />}
        {unsaved > 0 && (
          <div className={classes.foot}>
            {inTheWay && <span className={classes.hint}>{texts.settleFirst}</span>}
            <Button size="sm" variant="default" onClick={edit.discard} disabled={isSaving}>
              {texts.discard}
            </Button>
            {locked.length === 0 && (
              <Button size="sm" type="submit" loading={isSaving} disabled={!canSave}>
                {texts.save}
              </Button>
            )}
          </div>
        )}
      </form>
    </Panel>
  );
}
