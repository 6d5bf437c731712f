import { UnstyledButton } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ApprovedBy } from '../../approvals/approved-by.js';
import { automaticApprovalOf, isAutomaticApproval } from '../../approvals/automatic-approval.js';
import { AutomaticBadge } from '../../approvals/approved-by.js';
import { RelativeTime } from '../../components/relative-time.js';
import { StatusBadge } from '../../components/order/status-badge.js';
import { dictionary } from '../../language/dictionary.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { STATUS_COLORS } from '../../theme/status-colors.js';
import { anchorOf } from '../../components/order/history-anchor.js';
import { HEADER_FIELDS, NEGOTIATED_ROWS } from '../fields/header-fields.js';
import { type Difference, type HistoryEntry, PRICES, differencesOf } from './entries.js';
import styles from '../../theme/text.module.css';
import classes from './timeline.module.css';

const TIMELINE = dictionary({
  allChanges: (count: string) => [`Show all ${count} changes`, `显示全部 ${count} 处变更`],
  fewer: ['Show fewer', '收起'],
  commentOmitted: [
    'Its comment is not shown, because newer entries are too large.',
    '较新的记录过大，此备注无法显示。',
  ],
  automatic: ['Approved automatically', '已自动批准'],
  omitted: ['Its changes are too many to show.', '变更过多，无法显示。'],
  none: ['none', '无'],
  became: ['became', '变为'],
});

const SHOWN = 4;
/** Terms of fields whose term differs from their name. */
const TERM_OF: ReadonlyMap<string, keyof (typeof TERMS)['en']> = new Map([
  ...Object.values(HEADER_FIELDS).map(({ of, term }) => [of, term] as const),
  ['qty', 'quantity'],
]);
const DATES = new Set<string>(
  NEGOTIATED_ROWS.flatMap(({ input, of, current }) => (input === 'date' ? [of, current] : [])),
);

/** A history entry: action, actor, time, comment and changes. `isLinkTarget`: a link in a notification led here. */
export function Entry({
  entry,
  isLinkTarget,
  children,
}: {
  entry: HistoryEntry;
  isLinkTarget: boolean;
  children?: ReactNode;
}) {
  const terms = useTexts(TERMS);
  const texts = useTexts(TIMELINE);
  const { localized } = useLanguage();
  const { instant } = useFormats();
  const approval = automaticApprovalOf(entry);
  const isAutomatic = isAutomaticApproval(entry);
  // An omitted comment named the policy.
  const system = isAutomatic ? texts.automatic : terms.inventorySystem;
  const moved = entry.fromStatusId !== entry.toStatusId;
  const known = Object.hasOwn(STATUS_COLORS, entry.toStatusId);
  return (
    <li id={anchorOf(entry.id)} tabIndex={-1} className={classes.entry} data-link-target={isLinkTarget || undefined}>
      <span
        aria-hidden
        className={classes.dot}
        style={known ? { background: `var(--status-${entry.toStatusId}-dot)` } : undefined}
      />
      <p className={classes.what}>
        <b>{localized(entry.actionLabel, entry.actionLabelZh)}</b>
        {moved && (
          <StatusBadge status={{ statusId: entry.toStatusId, status: entry.toStatus, statusZh: entry.toStatusZh }} />
        )}
        {isAutomatic && <AutomaticBadge />}
      </p>
      <p className={styles.quietSmall}>
        {approval ? <ApprovedBy approval={approval} /> : (entry.actorName ?? entry.actorId ?? system)} ·{' '}
        <RelativeTime instant={entry.occurredAt} />
        <span className={classes.when}>{instant(entry.occurredAt)}</span>
      </p>
      {entry.comment !== null && !approval && <blockquote className={classes.comment}>{entry.comment}</blockquote>}
      {entry.commentOmitted && <p className={styles.quietSmall}>{texts.commentOmitted}</p>}
      {entry.changesOmitted && <p className={styles.quietSmall}>{texts.omitted}</p>}
      <Differences differences={differencesOf(entry)} />
      {children}
    </li>
  );
}

function Differences({ differences }: { differences: readonly Difference[] }) {
  const texts = useTexts(TIMELINE);
  const { quantity } = useFormats();
  const [all, setAll] = useState(false);
  if (differences.length === 0) return null;
  const hidden = differences.length > SHOWN + 1;
  return (
    <>
      <ul className={classes.differences}>
        {(all || !hidden ? differences : differences.slice(0, SHOWN)).map((difference) => (
          <li key={`${difference.of}\n${difference.field}\n${difference.from}\n${difference.to}`}>
            <DifferenceLine difference={difference} />
          </li>
        ))}
      </ul>
      {hidden && (
        <UnstyledButton className={classes.all} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? texts.fewer : texts.allChanges(quantity(differences.length))}
        </UnstyledButton>
      )}
    </>
  );
}

function DifferenceLine({ difference: { field, from, to, of } }: { difference: Difference }) {
  const texts = useTexts(TIMELINE);
  const formats = useFormats();
  const terms = useTexts(TERMS);
  const term = TERM_OF.get(field) ?? field;
  const name = Object.hasOwn(terms, term) ? terms[term as keyof typeof terms] : field;
  const shown = (value: Difference['from']) => {
    if (value === null) return texts.none;
    if (typeof value === 'number') return PRICES.has(field) ? formats.price(value) : formats.quantity(value);
    return DATES.has(field) ? formats.date(value) : value;
  };
  return (
    <>
      <span className={styles.quiet}>
        {of !== null && <span>{of}</span>} {name}
      </span>
      <span className={classes.values}>
        {from === null ? <span className={classes.none}>{texts.none}</span> : <del>{shown(from)}</del>}
        <IconArrowRight size={12} role="img" aria-label={texts.became} />
        <ins>{shown(to)}</ins>
      </span>
    </>
  );
}
