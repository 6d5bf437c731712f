import { Button, Modal, Progress, Textarea } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import '../../theme/mantine-dialog.js';
import { useState } from 'react';
import { type AvailableAction, MAX_COMMENT_LENGTH, type OrderSummary } from '../../api/schemas.js';
import { useReturnFocus } from '../../components/use-return-focus.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { BULK } from './texts.js';
import { BulkResults } from './bulk-results.js';
import { totalsOf } from '../list/totals.js';
import { undone } from './bulk.js';
import { useBulk } from './use-bulk.js';
import classes from '../dialog.module.css';

/** Asks before, shows how far it is, and what became of each order. `others`: selected, but not possible for them.
 * `close` is told for which it was not done; null where nothing was tried. */
export default function BulkDialog({
  action,
  orders,
  others,
  close,
}: {
  action: AvailableAction;
  orders: readonly OrderSummary[];
  others: number;
  close: (left: readonly string[] | null) => void;
}) {
  useReturnFocus();
  const texts = useTexts(BULK);
  const formats = useFormats();
  const { localized } = useLanguage();
  // As they were when it was asked for: rows below change while it is done.
  const [targets] = useState(orders);
  const [comment, setComment] = useState('');
  const { phase, outcomes, start, retry } = useBulk(targets, action.action);
  const label = localized(action.label, action.labelZh);
  const isMissing = action.requiresComment && comment.trim() === '';
  const left = undone(outcomes);
  const failed = left.length;
  const done = outcomes.size - failed;
  const sums = totalsOf(targets).amounts.map(([currency, sum]) => `${currency} ${formats.amount(sum)}`);
  const leave = () => phase !== 'running' && close(phase === 'ended' ? left.map(({ poRef }) => poRef) : null);
  return (
    <Modal
      opened
      onClose={leave}
      size={phase === 'asked' ? 480 : 640}
      withCloseButton={phase !== 'running'}
      closeButtonProps={{ 'aria-label': texts.close }}
      title={texts.title(label, formats.quantity(targets.length))}
    >
      {phase === 'asked' ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isMissing) void start(comment.trim());
          }}
        >
          <p className={classes.text}>{texts.total(sums.join(' · '))}</p>
          {others > 0 && <p className={classes.text}>{texts.others(others)}</p>}
          <Textarea
            className={classes.field}
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
          <div className={classes.buttons}>
            <Button variant="default" onClick={leave}>
              {texts.back}
            </Button>
            <Button
              type="submit"
              className={action.tone === 'danger' ? classes.danger : undefined}
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
              {phase === 'running'
                ? `${texts.progress(outcomes.size, targets.length)} · ${texts.running}`
                : [texts.done(done), ...(failed > 0 ? [texts.failed(failed)] : [])].join(' · ')}
            </p>
          </div>
          <BulkResults targets={targets} outcomes={outcomes} />
          <div className={classes.buttons}>
            {phase === 'ended' && failed > 0 && (
              <Button variant="default" onClick={() => void retry(comment.trim())}>
                {texts.retry(failed)}
              </Button>
            )}
            <Button onClick={leave} disabled={phase === 'running'}>
              {texts.close}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
