import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Activity } from '../api/schemas.js';
import { useRole } from '../api/use-me.js';
import { automaticApprovalOf, isAutomaticApproval } from '../approvals/automatic-approval.js';
import { AutomaticBadge, useApprovalWords } from '../approvals/approved-by.js';
import { anchorOf } from '../components/order/history-anchor.js';
import { RelativeTime } from '../components/relative-time.js';
import { StatusBadge } from '../components/order/status-badge.js';
import { useLanguage, useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import { DASHBOARD } from './texts.js';
import classes from './activity.module.css';

/** A change of an order: the action, the order, the user and the time. `isNew`: it arrived while the page was open. */
export function ActivityEntry({ entry, isNew }: { entry: Activity; isNew: boolean }) {
  const texts = useTexts(DASHBOARD);
  const terms = useTexts(TERMS);
  const { localized } = useLanguage();
  const { by } = useApprovalWords();
  const approval = automaticApprovalOf(entry);
  const sides = { SYSTEM: terms.inventorySystem, VENDOR: terms.vendor, BUYER: terms.buyer, ADMIN: null, VIEWER: null };
  const actor = entry.actorName ?? sides[entry.actorRole];
  const isVendor = useRole() === 'VENDOR';
  return (
    <li className={classes.entry} data-entry={entry.id} data-new={isNew || undefined}>
      <p className={classes.what}>
        <b>{localized(entry.actionLabel, entry.actionLabelZh)}</b>
        <StatusBadge status={{ statusId: entry.toStatusId, status: entry.toStatus, statusZh: entry.toStatusZh }} />
        {isAutomaticApproval(entry) && <AutomaticBadge />}
        {isNew && (
          <Tooltip label={texts.isNew}>
            <span className={classes.new} role="img" aria-label={texts.isNew} />
          </Tooltip>
        )}
        <span className={classes.when}>
          <RelativeTime instant={entry.occurredAt} />
        </span>
      </p>
      <p className={classes.who}>
        <Link to="/orders/$poRef" params={{ poRef: entry.poRef }} hash={anchorOf(entry.id)} className={classes.order}>
          {entry.poNumber}
        </Link>
        <span>{approval ? by(approval) : actor}</span>
        {!isVendor && <span>{entry.vendor}</span>}
      </p>
      {entry.comment !== null && !approval && <blockquote className={classes.comment}>{entry.comment}</blockquote>}
    </li>
  );
}
