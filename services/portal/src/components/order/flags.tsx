import { IconAlertTriangle, IconClockExclamation, IconPencil } from '@tabler/icons-react';
import type { OrderSummary } from '../../api/schemas.js';
import { useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import styles from '../../theme/text.module.css';
import { TouchTooltip } from '../touch-tooltip.js';
import classes from '../components.module.css';

const FLAGS = [
  { is: 'isOverdue', term: 'overdue', Icon: IconClockExclamation, className: styles.danger },
  { is: 'hasPendingChanges', term: 'pendingChanges', Icon: IconPencil, className: styles.accent },
  { is: 'hasSourceConflict', term: 'sourceConflict', Icon: IconAlertTriangle, className: styles.danger },
] as const;

/** Flags of an order, as icons with names. */
export function Flags({ order }: { order: Pick<OrderSummary, (typeof FLAGS)[number]['is']> }) {
  const terms = useTexts(TERMS);
  const raised = FLAGS.filter(({ is }) => order[is]);
  if (raised.length === 0) return null;
  return (
    <span className={classes.flags}>
      {raised.map(({ is, term, Icon, className }) => (
        <TouchTooltip key={is} label={terms[term]}>
          <span className={className} role="img" aria-label={terms[term]}>
            <Icon size={16} aria-hidden />
          </span>
        </TouchTooltip>
      ))}
    </span>
  );
}
