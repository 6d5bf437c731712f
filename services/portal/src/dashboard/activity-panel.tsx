import { Button } from '@mantine/core';
import { useFocusWithin, useHover, useMergedRef } from '@mantine/hooks';
import { IconArrowUp, IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useApi } from '../api/api.js';
import type { Activity } from '../api/schemas.js';
import { Panel } from '../components/page.js';
import { useFormats, useTexts } from '../language/language.js';
import { Message, QueryBoundary } from '../components/loading-and-errors/states.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import { ActivityEntry } from './activity-entry.js';
import { DASHBOARD } from './texts.js';
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
