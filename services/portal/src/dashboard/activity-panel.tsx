import { Button, Tooltip } from '@mantine/core';
import { useFocusWithin, useHover, useMergedRef } from '@mantine/hooks';
import { IconArrowUp, IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from '@tanstack/react-router';
import { useApi, useRole } from '../api/api.js';
import type { Activity } from '../api/schemas.js';
import { Panel } from '../components/page.js';
import { useFormats, useLanguage, useTexts } from '../language/language.js';
import { Message, QueryBoundary } from '../components/loading-and-errors/states.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import { DASHBOARD } from './texts.js';
import { automaticApprovalOf, isAutomaticApproval } from '../approvals/automatic-approval.js';
import { AutomaticBadge, useApprovalWords } from '../approvals/approved-by.js';
import { anchorOf } from '../components/order/history-anchor.js';
import { RelativeTime } from '../components/relative-time.js';
import { StatusBadge } from '../components/order/status-badge.js';
import { TERMS } from '../language/terms.js';
import classes from './activity.module.css';

/** Latest changes of orders. New entries are marked, and held back while the user reads the list. */
export function ActivityPanel() {
  const texts = useTexts(DASHBOARD);
  const { queries } = useApi();
  const activity = useQuery(queries.activity());
  return (
    <QueryBoundary
      query={activity}
      skeleton={
        <Panel title={texts.activity}>
          <TextSkeleton lines={24} />
        </Panel>
      }
    >
      {(latest) => <Feed latest={latest} />}
    </QueryBoundary>
  );
}

function Feed({ latest }: { latest: readonly Activity[] }) {
  const texts = useTexts(DASHBOARD);
  const { quantity } = useFormats();
  const [known] = useState(() => new Set(latest.map(({ id }) => id)));
  const [held, setHeld] = useState<readonly Activity[] | null>(null);
  // Watch the whole panel, so that the button for held-back entries does not vanish when the pointer or the focus reaches it.
  const { ref: hoveredRef, hovered } = useHover<HTMLElement>();
  const { ref: focusedRef, focused } = useFocusWithin<HTMLElement>();
  const panel = useMergedRef(hoveredRef, focusedRef);
  const list = useRef<HTMLOListElement>(null);
  const isReading = hovered || focused;
  if (isReading !== (held !== null)) setHeld(isReading ? latest : null);
  const shown = held ?? latest;
  const waiting = latest.filter(({ id }) => !shown.some((entry) => entry.id === id)).length;
  const showAll = ({ currentTarget }: MouseEvent) => {
    const hadFocus = document.activeElement === currentTarget;
    // The button disappears.
    flushSync(() => setHeld(latest));
    if (hadFocus) list.current?.querySelector('a')?.focus();
    list.current?.scrollTo({ top: 0 });
  };
  return (
    <Panel
      ref={panel}
      title={texts.activity}
      flush
      aside={
        waiting > 0 && (
          <Button
            size="xs"
            radius="xl"
            leftSection={<IconArrowUp size={12} aria-hidden />}
            // The focus of a mouse user would hold back entries after the pointer has left.
            onMouseDown={(event) => event.preventDefault()}
            onClick={showAll}
          >
            {texts.more(quantity(waiting))}
          </Button>
        )
      }
    >
      {shown.length === 0 ? (
        <Message icon={<IconHistory size={20} aria-hidden />} title={texts.none.activity.title} level="h3">
          {texts.none.activity.text}
        </Message>
      ) : (
        <ol ref={list} className={classes.entries}>
          {shown.map((entry) => (
            <ActivityEntry key={entry.id} entry={entry} isNew={!known.has(entry.id)} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

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
