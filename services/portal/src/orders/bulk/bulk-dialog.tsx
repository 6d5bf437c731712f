import { Button, Progress, Textarea } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api.js';
import { type AvailableAction, MAX_COMMENT_LENGTH, type OrderSummary } from '../../api/schemas.js';
import { LeaveGuard } from '../../components/dialogs/leave-guard.js';
import { useNow } from '../../components/relative-time.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { AcceptedTerms } from '../../components/order/accepted-terms.js';
import { BULK } from './texts.js';
import { BulkResults } from './bulk-results.js';
import { totalsOf } from '../../components/order/order-totals.js';
import { automatic, repeatable, undone } from './bulk.js';
import { useBulk } from './use-bulk.js';
import dialog from '../../theme/dialog.module.css';
import classes from '../dialog.module.css';

/** What its user was asked to confirm, for orders as they were seen then. */
export interface Asked {
  orders: readonly OrderSummary[];
  /** Absent for the one order of a row, which is accepted: how it is submitted is still to be asked. */
  action?: AvailableAction;
  /** Submits orders only as they were ordered, and each only as it was seen. */
  isAcceptance?: boolean;
  /** What else is selected: its status does not allow it, what was typed there is not saved, or it is not as ordered. */
  leftOut?: { byStatus: number; unsaved: number; asChanged: number };
}

const NOTHING = { byStatus: 0, unsaved: 0, asChanged: 0 };

/** `close` is told for which it was not done; null where nothing was tried. */
interface Props {
  asked: Asked;
  close: (left: readonly string[] | null) => void;
}

export default function BulkDialog({ asked, close }: Props) {
  const { action, orders } = asked;
  const [order] = orders;
  if (action) return <Steps {...{ asked, action, close }} />;
  return order && <OfOne {...{ asked, order, close }} />;
}

/** Once the API has said how an order of a vendor in this status is submitted. */
function OfOne({ asked, order, close }: Props & { order: OrderSummary }) {
  const { queries } = useApi();
  const { data } = useSuspenseQuery(queries.actions(order.statusId, 'VENDOR'));
  const action = data.find((one) => one.action === 'SUBMIT');
  return action && <Steps asked={{ ...asked, isAcceptance: true }} {...{ action, close }} />;
}

/** Asks before, shows how far it is, and what became of each order. */
function Steps({ asked, action, close }: Props & { action: AvailableAction }) {
  const texts = useTexts(BULK);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  const { localized } = useLanguage();
  // As they were when it was asked for: rows below change while it is done.
  const [{ orders: targets, isAcceptance = false, leftOut = NOTHING }] = useState(asked);
  const [comment, setComment] = useState('');
  const { phase, outcomes, restUntil, start, retry, stop } = useBulk(targets, action.action);
  const results = useRef<HTMLDivElement>(null);
  // The button that began it is gone; without the focus in it, keys are for the list below.
  useEffect(() => {
    if (phase === 'running') results.current?.focus();
  }, [phase]);
  const submit = localized(action.label, action.labelZh);
  const label = isAcceptance ? terms.acceptAsOrdered : submit;
  // One click is enough: who has something to say submits the order.
  const asksComment = !isAcceptance || action.requiresComment;
  const isMissing = action.requiresComment && comment.trim() === '';
  const left = undone(outcomes);
  const failed = left.length;
  const again = repeatable(outcomes).length;
  const done = outcomes.size - failed;
  const approved = automatic(outcomes);
  const sums = totalsOf(targets).amounts.map(([currency, sum]) => `${currency} ${formats.amount(sum)}`);
  const leave = () => phase !== 'running' && close(phase === 'ended' ? left.map(({ poRef }) => poRef) : null);
  return (
    <>
      <Dialog
        onClose={leave}
        size={phase === 'asked' ? 480 : 640}
        withCloseButton={phase !== 'running'}
        closeLabel={texts.close}
        title={
          isAcceptance && targets.length === 1
            ? texts.titleOfOne(label, targets[0]?.poNumber ?? '')
            : texts.title(label, formats.quantity(targets.length))
        }
      >
        {phase === 'asked' ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (!isMissing) void start(comment.trim());
            }}
          >
            {isAcceptance ? (
              <div className={classes.terms}>
                <AcceptedTerms orders={targets} />
              </div>
            ) : (
              <p className={classes.text}>{texts.total(sums.join(' · '))}</p>
            )}
            {leftOut.byStatus > 0 && <p className={classes.text}>{texts.others(leftOut.byStatus)}</p>}
            {leftOut.unsaved > 0 && <p className={classes.text}>{texts.unsaved(leftOut.unsaved)}</p>}
            {leftOut.asChanged > 0 && <p className={classes.text}>{texts.changed(leftOut.asChanged, submit)}</p>}
            {asksComment && (
              <Textarea
                data-autofocus
                label={texts.comment}
                description={texts.commentHint}
                withAsterisk={action.requiresComment}
                required={action.requiresComment}
                rows={3}
                maxLength={MAX_COMMENT_LENGTH}
                value={comment}
                onChange={({ currentTarget }) => setComment(currentTarget.value)}
              />
            )}
            <div className={dialog.buttons}>
              <Button variant="default" onClick={leave}>
                {texts.back}
              </Button>
              <Button
                type="submit"
                data-autofocus={!asksComment || undefined}
                className={action.tone === 'danger' ? dialog.danger : undefined}
                disabled={isMissing}
              >
                {label}
              </Button>
            </div>
          </form>
        ) : (
          <>
            <div className={classes.progress}>
              <Progress
                value={(outcomes.size / targets.length) * 100}
                size={4}
                aria-label={texts.progress(outcomes.size, targets.length)}
              />
              <p role="status" className={classes.text}>
                {phase === 'running' ? (
                  <>
                    {texts.progress(outcomes.size, targets.length)} ·{' '}
                    {restUntil === null ? texts.running : <Rest until={restUntil} />}
                  </>
                ) : (
                  [
                    texts.done(done),
                    ...(approved > 0 ? [texts.automatic(approved)] : []),
                    ...(failed > 0 ? [texts.failed(failed)] : []),
                  ].join(' · ')
                )}
              </p>
            </div>
            <BulkResults {...{ targets, outcomes }} ref={results} />
            <div className={dialog.buttons}>
              {phase === 'ended' && again > 0 && (
                <Button variant="default" onClick={() => void retry(comment.trim())}>
                  {texts.retry(again)}
                </Button>
              )}
              {restUntil === null ? (
                <Button onClick={leave} disabled={phase === 'running'}>
                  {texts.close}
                </Button>
              ) : (
                <Button variant="default" onClick={stop}>
                  {texts.stop}
                </Button>
              )}
            </div>
          </>
        )}
      </Dialog>
      <LeaveGuard isBusy={phase === 'running'} question={texts.leave} />
    </>
  );
}

function Rest({ until }: { until: number }) {
  const texts = useTexts(BULK);
  return texts.resting(Math.max(0, Math.ceil((until - useNow(1000)) / 1000)));
}
