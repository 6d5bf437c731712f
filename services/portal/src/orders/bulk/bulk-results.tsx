import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus } from '@tabler/icons-react';
import type { Ref } from 'react';
import type { OrderSummary } from '../../api/schemas.js';
import { AutomaticBadge } from '../../approvals/approved-by.js';
import { StatusBadge } from '../../components/order/status-badge.js';
import { Reference } from '../../components/loading-and-errors/states.js';
import { useTexts } from '../../language/language.js';
import styles from '../../theme/text.module.css';
import table from '../../theme/table.module.css';
import type { Outcome } from './bulk.js';
import { BULK } from './texts.js';
import classes from '../dialog.module.css';

/** Results by order, failures first. */
export function BulkResults(props: {
  targets: readonly OrderSummary[];
  outcomes: ReadonlyMap<string, Outcome>;
  ref: Ref<HTMLDivElement>;
}) {
  const { targets, outcomes, ref } = props;
  const texts = useTexts(BULK);
  const rank = ({ poRef }: OrderSummary) => (outcomes.get(poRef)?.state === 'failed' ? 0 : 1);
  return (
    <div
      ref={ref}
      className={`${table.frame} ${classes.results}`}
      role="region"
      aria-label={texts.results}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{texts.order}</th>
            <th scope="col">{texts.result}</th>
          </tr>
        </thead>
        <tbody>
          {targets
            .toSorted((a, b) => rank(a) - rank(b))
            .map(({ poRef, poNumber }) => (
              <tr key={poRef}>
                <td>{poNumber}</td>
                <td className={classes.result}>
                  <Result outcome={outcomes.get(poRef)} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function Result({ outcome }: { outcome: Outcome | undefined }) {
  const texts = useTexts(BULK);
  if (!outcome) return <Loader size={14} />;
  switch (outcome.state) {
    case 'done':
      return (
        <span className={classes.line}>
          <IconCheck size={16} className={styles.good} aria-hidden />
          <StatusBadge status={outcome} />
          {outcome.autoApproved && <AutomaticBadge />}
        </span>
      );
    case 'failed':
      return (
        <span className={classes.line}>
          <IconAlertTriangle size={16} className={styles.danger} aria-hidden />
          <span>
            {outcome.isStale ? texts.unseen : outcome.message}
            {!outcome.isStale && <Reference id={outcome.requestId} copies={false} />}
          </span>
        </span>
      );
    case 'untried':
      return (
        <span className={classes.line}>
          <IconMinus size={16} aria-hidden />
          {texts.untried}
        </span>
      );
  }
}
