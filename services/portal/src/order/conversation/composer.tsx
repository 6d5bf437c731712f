import { Button, Switch } from '@mantine/core';
import { MAX_MESSAGE_ROWS } from '@po/contracts/constants';
import { type FormEvent, useState } from 'react';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import type { Visibility } from '../../api/schemas.js';
import { ProblemLine } from '../../components/loading-and-errors/states.js';
import { useFormats, useTexts } from '../../language/language.js';
import { useIsStorageFull } from '../../storage/use-stored.js';
import { useCells } from '../edit/cells.js';
import { quantityKey } from '../lines/size-matrix.js';
import { CellsChip } from './cells-chip.js';
import { MentionField } from './mention-field.js';
import { labelOf, withChosen } from './mentions.js';
import { charactersLeft, unreachedMentions } from './message-draft.js';
import { InternalNote } from './posted-message.js';
import { CONVERSATION } from './texts.js';
import { COMPOSER_ID, useMessageDraft } from './use-message-draft.js';
import { usePosting } from './use-posting.js';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.js';
import classes from './conversation.module.css';

/** Below this number, the remaining characters are shown. */
const SHOW_LEFT_BELOW = 200;

/** Form for a message. The text is stored until it is posted. `canBeInternal`: the user may limit it to the buyers' company. */
export function Composer({ poRef, canBeInternal }: { poRef: string; canBeInternal: boolean }) {
  const texts = useTexts(CONVERSATION);
  const { list, quantity } = useFormats();
  const [draft, change] = useMessageDraft(poRef);
  const { matrix } = useCells();
  const isFull = useIsStorageFull();
  const visibility = canBeInternal ? draft.visibility : 'all';
  const [isPosted, setPosted] = useState(false);
  const posting = usePosting(poRef, change, () => setPosted(true));
  const left = charactersLeft(draft);
  const hasTooMany = draft.rows.length > MAX_MESSAGE_ROWS;
  const isInternal = visibility === 'internal';
  const missed = unreachedMentions({ ...draft, visibility });
  const canPost = draft.body.trim() !== '' && left >= 0 && !hasTooMany && !posting.isPending;
  const post = () => {
    if (!canPost) return;
    setPosted(false);
    posting.post({ ...draft, visibility }, (rowHash) => matrix?.slots.has(quantityKey(rowHash)) ?? true);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The button is disabled while posting, so the focus goes to the field.
    event.currentTarget.querySelector('textarea')?.focus();
    post();
  };
  const choose = (next: Visibility) => change((now) => ({ ...now, visibility: next }));
  return (
    <form
      className={classes.composer}
      data-internal={isInternal || undefined}
      aria-label={texts.write}
      onSubmit={submit}
    >
      {isInternal && <InternalNote />}
      <MentionField
        poRef={poRef}
        value={draft.body}
        mentions={draft.mentions}
        isInternal={isInternal}
        isBusy={posting.isPending}
        error={left < 0 ? texts.tooLong(quantity(-left), left === -1) : null}
        change={(body, chosen) => {
          setPosted(false);
          if (posting.isError) posting.reset();
          change((now) => ({
            ...now,
            body,
            mentions: chosen ? withChosen(body, now.mentions, chosen) : now.mentions,
          }));
        }}
        post={post}
      />
      <CellsChip
        rows={draft.rows}
        remove={() => {
          change((now) => ({ ...now, rows: [] }));
          // The button disappears with the cells.
          document.getElementById(COMPOSER_ID)?.focus();
        }}
      />
      {hasTooMany && (
        <p role="alert" className={classes.wrong}>
          {texts.tooManyCells(quantity(MAX_MESSAGE_ROWS))}
        </p>
      )}
      {missed.length > 0 && <p className={classes.hint}>{texts.notReached(list(missed.map(labelOf)))}</p>}
      {isFull && <p className={classes.wrong}>{texts.full}</p>}
      {posting.error && <ProblemLine error={posting.error} retry={canPost ? post : undefined} />}
      <div className={classes.foot}>
        {canBeInternal && (
          <VisibilitySwitch visibility={visibility} hasText={draft.body.trim() !== ''} choose={choose} />
        )}
        <span className={classes.hint} role="status">
          {isPosted
            ? texts.posted
            : left >= 0 && left < SHOW_LEFT_BELOW
              ? texts.left(quantity(left), left === 1)
              : null}
        </span>
        <Button type="submit" size="sm" loading={posting.isPending} disabled={!canPost && !posting.isPending}>
          {texts.post}
        </Button>
      </div>
      {!isInternal && canBeInternal && <p className={classes.hint}>{texts.visible}</p>}
    </form>
  );
}

/** Hides a message from the vendor. `hasText`: the typed text was internal, so showing it to the vendor needs confirmation. */
function VisibilitySwitch(props: {
  visibility: Visibility;
  hasText: boolean;
  choose: (visibility: Visibility) => void;
}) {
  const { visibility, hasText, choose } = props;
  const texts = useTexts(CONVERSATION);
  const [asks, setAsks] = useState(false);
  const keep = { label: texts.reveal.keep, choose: () => setAsks(false) };
  const reveal = {
    label: texts.reveal.go,
    choose: () => {
      setAsks(false);
      choose('all');
    },
  };
  return (
    <>
      <Switch
        label={texts.switch}
        checked={visibility === 'internal'}
        onChange={({ currentTarget: { checked } }) => {
          if (!checked && hasText) setAsks(true);
          else choose(checked ? 'internal' : 'all');
        }}
      />
      {asks && (
        <ConfirmDialog title={texts.reveal.title} text={texts.reveal.text} answers={[reveal, keep]} close={keep} />
      )}
    </>
  );
}
