import { Button } from '@mantine/core';
import { ApiProblem } from '@po/client';
import { type FormEvent, useState } from 'react';
import { isRefused } from '../../api/refusals.js';
import { isOutdated } from '../../api/writes.js';
import type { AvailableAction } from '../../api/schemas.js';
import { AcceptedTerms } from '../../components/order/accepted-terms.js';
import { isAsOrdered } from '../../components/order/as-ordered.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { CommentField, NewStatus, isSendable } from '../../components/order/transition-parts.js';
import { useTexts } from '../../language/language.js';
import { ProblemLine } from '../../components/loading-and-errors/states.js';
import { TEXTS, useStorageKey, useStoredText } from '../../storage/use-stored.js';
import { hasValue, type } from '../draft/draft.js';
import { useCells } from '../edit/cells.js';
import { ObstacleHint } from '../edit/save-bar.js';
import { type Typing, useOrderEdit } from '../edit/use-order-edit.js';
import { ORDER_HEADER } from './texts.js';
import { useOrderTransition } from './use-order-transition.js';
import layout from '../../theme/layout.module.css';
import classes from './header.module.css';

const HTTP_CONFLICT = 409;

export interface Offer {
  action: AvailableAction;
  label: string;
  /** Shorter label for phones. */
  short?: string;
  /** Submits the order only if it is still as ordered. */
  isAcceptance: boolean;
  /** Replies 0 to each quantity first. */
  isDecline?: boolean;
}

/** Confirms a transition: shows the target status and whether it can be undone, and asks for a comment. */
export function TransitionDialog(props: Offer & { typing: Typing; close: () => void }) {
  const { action, label, isAcceptance, isDecline = false, typing, close } = props;
  const { saving, head } = typing;
  const { order } = head;
  const edit = useOrderEdit(typing);
  const { matrix, editable, draft, change } = useCells();
  /** Replies that a decline adds. They are typed only on "Save": drafts are stored, so a reload would keep the zeros. */
  const zeros = [...(matrix?.slots.values() ?? [])].flatMap((slot) =>
    isDecline && editable && slot.kind === 'quantity' && !hasValue(draft.edits, slot, 0) ? [[slot, 0] as const] : [],
  );
  const save = () => {
    change((now) => type(now, zeros));
    void edit.save();
  };
  const texts = useTexts(ORDER_HEADER);
  // Acceptance takes one click; a user with a comment submits the order instead.
  const asksComment = !isAcceptance || action.requiresComment;
  const name = useStorageKey('order', order.poRef, 'comment', isAcceptance ? 'ACCEPT' : action.action);
  const comment = useStoredText(name);
  /** Order version that the user reviewed. Confirming after a notice counts as a new review. */
  const [looked, setLooked] = useState(order.version);
  const version = Math.max(looked, saving.version);
  const done = () => {
    TEXTS.set(name, '');
    close();
  };
  const act = useOrderTransition(order, action, done);
  /** The outcome is unknown, so the order may already show the result of this action. A retry sends the same request in any case. */
  const isUnknown = act.isError && !isRefused(act.error);
  const isPossible =
    isUnknown ||
    (order.availableActions.some((one) => one.action === action.action) && (!isAcceptance || isAsOrdered(order)));
  const hasMoved = !isUnknown && order.version > version && !act.isPending && !saving.isPending;
  // A dangerous action does not require the edits to be saved first.
  const added = zeros.filter(([{ key }]) => !draft.edits.has(key)).length;
  const unsaved = action.tone === 'danger' || !isPossible || act.isPending ? 0 : edit.savable + added;
  const { obstacle, faulty } = edit;
  // The zeros may replace the entries to correct.
  const replaced = new Set(zeros.map(([{ key }]) => key));
  const isCorrected = faulty.fields.length === 0 && faulty.cells.every((key) => replaced.has(key));
  const isHindered = obstacle !== null && (obstacle !== 'faulty' || !isCorrected);
  const refused =
    isOutdated(act.error) || (!isUnknown && act.error instanceof ApiProblem && act.error.status === HTTP_CONFLICT);
  const canConfirm = isPossible && isSendable(comment, action) && unsaved === 0 && !act.isPending;
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (!canConfirm) return;
    if (!isUnknown) setLooked(order.version);
    act.mutate({ version: hasMoved ? order.version : version, comment: comment.trim() });
  };
  return (
    <Dialog
      onClose={() => !act.isPending && close()}
      title={texts.ask(label, order.poNumber)}
      closeLabel={texts.cancel}
    >
      <form className={layout.stack} onSubmit={confirm}>
        <NewStatus action={action} count={1} />
        {isDecline && <p>{texts.zeros}</p>}
        {isAcceptance && <AcceptedTerms orders={[order]} />}
        {!isPossible && !act.isPending && (
          <p className={classes.warning} role="alert">
            {isAcceptance ? texts.changed : texts.gone(comment !== '')}
          </p>
        )}
        {isPossible && hasMoved && (
          <p className={classes.warning} role="alert">
            {texts.moved}
          </p>
        )}
        {unsaved > 0 && (
          <p className={classes.warning} role="alert">
            <span>{texts.unsaved(unsaved)}</span>
            {isHindered ? (
              <ObstacleHint edit={edit} leave={close} />
            ) : (
              <Button size="xs" variant="default" loading={saving.isPending} onClick={save}>
                {texts.saveFirst}
              </Button>
            )}
          </p>
        )}
        {unsaved > 0 && !isHindered && saving.error && <ProblemLine error={saving.error} />}
        {asksComment && (
          <CommentField
            value={comment}
            change={(text) => TEXTS.set(name, text)}
            isRequired={action.requiresComment}
            hint={texts.commentHint}
          />
        )}
        {act.error && !refused && <ProblemLine error={act.error} />}
        <div className={classes.foot}>
          <Button variant="default" onClick={close} disabled={act.isPending}>
            {texts.cancel}
          </Button>
          <Button
            type="submit"
            data-autofocus={!asksComment || undefined}
            // The default fill has too little contrast to white text: WCAG 2.2 requires 4.5, this shade has 5.5.
            color={action.tone === 'danger' ? 'red.9' : undefined}
            loading={act.isPending}
            disabled={!canConfirm}
          >
            {label}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
