import { Button, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api.js';
import type { AvailableAction, OrderSummary } from '../../api/schemas.js';
import { QueryBoundary } from '../../components/loading-and-errors/states.js';
import { TextSkeleton } from '../../components/loading-and-errors/skeletons.js';
import { LeaveGuard } from '../../components/dialogs/leave-guard.js';
import { useNow } from '../../components/relative-time.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { AcceptedTerms } from '../../components/order/accepted-terms.js';
import { CommentField, NewStatus, isSendable } from '../../components/order/transition-parts.js';
import { BULK } from './texts.js';
import { BulkResults } from './bulk-results.js';
import { totalsOf } from '../../components/order/order-totals.js';
import { autoApprovedCount, retryable, notDone } from './bulk.js';
import { useBulk } from './use-bulk.js';
import dialog from '../../theme/dialog.module.css';
import styles from '../../theme/text.module.css';
import classes from '../dialog.module.css';

/** The action that the user has to confirm, for the orders as the user saw them. */
export interface BulkRequest {
  orders: readonly OrderSummary[];
  /** Absent for the acceptance of a single row; the dialog then loads how its order is submitted. */
  action?: AvailableAction;
  /** Accepts the orders as ordered, each only in the version that the user saw. */
  isAcceptance?: boolean;
  /** Numbers of other selected orders, by reason: status does not allow the action, unsaved changes, or not as ordered. */
  leftOut?: { byStatus: number; unsaved: number; asChanged: number };
}

/** Number of orders that the confirmation names. */
const NAMES = 3;
const NOTHING = { byStatus: 0, unsaved: 0, asChanged: 0 };

/** `close` gets the orders that failed or were not tried; null if the action was never started. */
interface Props {
  request: BulkRequest;
  close: (left: readonly string[] | null) => void;
}

export default function BulkDialog({ request, close }: Props) {
  const { action, orders } = request;
  const [order] = orders;
  if (action) return <Steps {...{ request, action, close }} />;
  return order && <SingleOrder {...{ request, order, close }} />;
}

/** Shows the dialog at once, also while the API has not returned how a vendor submits an order in this status. */
function SingleOrder({ request, order, close }: Props & { order: OrderSummary }) {
  const { queries } = useApi();
  const texts = useTexts(BULK);
  const { acceptAsOrdered } = useTexts(TERMS);
  const actions = useQuery(queries.actions(order.statusId, 'VENDOR'));
  if (!actions.data) {
    const title = texts.titleOfOne(acceptAsOrdered, order.poNumber);
    return (
      <Dialog onClose={() => close(null)} closeLabel={texts.close} title={title}>
        <QueryBoundary query={actions} skeleton={<TextSkeleton lines={4} />}>
          {() => null}
        </QueryBoundary>
      </Dialog>
    );
  }
  const action = actions.data.find((one) => one.action === 'SUBMIT');
  return action && <Steps request={{ ...request, isAcceptance: true }} {...{ action, close }} />;
}

/** Asks for confirmation, shows the progress and the result of each order. */
function Steps({ request, action, close }: Props & { action: AvailableAction }) {
  const texts = useTexts(BULK);
  const terms = useTexts(TERMS);
  const formats = useFormats();
  const { localized } = useLanguage();
  // The orders as they were when the dialog opened; the rows below change while the action runs.
  const [{ orders: targets, isAcceptance = false, leftOut = NOTHING }] = useState(request);
  const [comment, setComment] = useState('');
  const { phase, outcomes, waitUntil, start, retry, stop } = useBulk(targets, action.action);
  const results = useRef<HTMLDivElement>(null);
  // The start button is gone. The focus stays in the dialog, or keys would act on the list below.
  useEffect(() => {
    if (phase === 'running') results.current?.focus();
  }, [phase]);
  const submit = localized(action.label, action.labelZh);
  const label = isAcceptance ? terms.acceptAsOrdered : submit;
  // Accepting takes one click. Users who want to comment can submit instead.
  const asksComment = !isAcceptance || action.requiresComment;
  const canConfirm = isSendable(comment, action);
  // Escape, a click outside or the browser's Back must not discard typed text.
  const isTyped = phase === 'confirming' && comment.trim() !== '';
  const names = targets.map(({ poNumber }) => poNumber);
  const left = notDone(outcomes);
  const failed = left.length;
  const again = retryable(outcomes).length;
  const done = outcomes.size - failed;
  const approved = autoApprovedCount(outcomes);
  const sums = totalsOf(targets).amounts.map(([currency, sum]) => `${currency} ${formats.amount(sum)}`);
  const leave = () => phase !== 'running' && close(phase === 'ended' ? left.map(({ poRef }) => poRef) : null);
  return (
    <>
      <Dialog
        onClose={leave}
        size={phase === 'confirming' ? 480 : 640}
        withCloseButton={phase !== 'running'}
        closeOnEscape={!isTyped}
        closeOnClickOutside={!isTyped}
        closeLabel={texts.close}
        title={
          names.length === 1
            ? texts.titleOfOne(label, names[0] ?? '')
            : texts.title(label, formats.quantity(names.length))
        }
      >
        {phase === 'confirming' ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (canConfirm) void start(comment.trim());
            }}
          >
            {names.length > 1 && (
              <p className={styles.paragraph}>
                {texts.names(formats.list(names.slice(0, NAMES)), names.length - NAMES)}
              </p>
            )}
            <div className={classes.terms}>
              <NewStatus action={action} count={names.length} />
              {isAcceptance && <AcceptedTerms orders={targets} />}
            </div>
            {!isAcceptance && <p className={styles.paragraph}>{texts.total(sums.join(' · '))}</p>}
            {leftOut.byStatus > 0 && <p className={styles.paragraph}>{texts.others(leftOut.byStatus)}</p>}
            {leftOut.unsaved > 0 && <p className={styles.paragraph}>{texts.unsaved(leftOut.unsaved)}</p>}
            {leftOut.asChanged > 0 && <p className={styles.paragraph}>{texts.changed(leftOut.asChanged, submit)}</p>}
            {asksComment && (
              <CommentField
                value={comment}
                change={setComment}
                isRequired={action.requiresComment}
                hint={texts.commentHint}
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
                disabled={!canConfirm}
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
              <p className={styles.paragraph}>
                <span role="status">
                  {(phase === 'running'
                    ? [texts.progress(outcomes.size, targets.length), ...(waitUntil === null ? [texts.running] : [])]
                    : [
                        texts.done(done),
                        ...(approved > 0 ? [texts.automatic(approved)] : []),
                        ...(failed > 0 ? [texts.failed(failed)] : []),
                      ]
                  ).join(' · ')}
                </span>
                {/* Outside the status: screen readers would read it again each second. */}
                {phase === 'running' && waitUntil !== null && (
                  <>
                    {' · '}
                    <Rest until={waitUntil} />
                  </>
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
              {waitUntil === null ? (
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
      <LeaveGuard isBusy={isTyped} />
      <LeaveGuard isBusy={phase === 'running'} question={texts.leave} />
    </>
  );
}

function Rest({ until }: { until: number }) {
  const texts = useTexts(BULK);
  return texts.rateLimited(Math.max(0, Math.ceil((until - useNow(1000)) / 1000)));
}
