import { Button, Chip } from '@mantine/core';
import '@mantine/core/styles/Chip.layer.css';
import { IconBellOff, IconChecks, IconFilterOff } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useApi } from '../api/api.js';
import { useNow } from '../components/relative-time.js';
import { useFormats, useTexts } from '../language/language.js';
import { Message, ProblemLine, QueryBoundary } from '../components/loading-and-errors/states.js';
import { MoreButton } from '../components/more-button.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import { BellItem } from './bell-item.js';
import { FILTERS, type Filter, byDay, isShownBy, type Inbox, partOf, withRead } from './inbox.js';
import { INBOX } from './list-texts.js';
import classes from './bell.module.css';
import { KEYS } from '../api/keys.js';

const MINUTE_MS = 60_000;

/** The user's notifications, newest first, grouped by day. */
export default function BellList({ unread, close }: { unread: number; close: () => void }) {
  const texts = useTexts(INBOX);
  const formats = useFormats();
  const { queries } = useApi();
  const [filter, setFilter] = useState<Filter>('all');
  const now = useNow(MINUTE_MS);
  const inbox = useInfiniteQuery(queries.notifications(partOf(filter)));
  const { mutate, error: notMarked } = useMarkRead();
  const heading = useRef<HTMLHeadingElement>(null);
  const markRead = (id: string) => {
    // The focused button will be disabled or disappear. The focus stays in the list, or keys would act on the page below.
    if (id === 'all' || filter === 'unread') heading.current?.focus();
    mutate(id);
  };
  return (
    <>
      <header className={classes.head}>
        <h2 ref={heading} tabIndex={-1} className={classes.title}>
          {texts.title}
        </h2>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconChecks size={14} aria-hidden />}
          disabled={unread === 0}
          onClick={() => markRead('all')}
        >
          {texts.readAll}
        </Button>
      </header>
      <FilterChoice filter={filter} choose={setFilter} />
      <div className={classes.list}>
        {notMarked && <ProblemLine error={notMarked} />}
        <QueryBoundary
          query={inbox}
          skeleton={
            <div className={classes.waiting}>
              <TextSkeleton lines={8} />
            </div>
          }
        >
          {({ pages }) => {
            const items = pages.flat().filter((item) => isShownBy(item, filter));
            if (items.length === 0) return <Nothing filter={filter} />;
            return byDay(items, (instant) => formats.day(instant, now)).map(({ name, items: ofDay }) => (
              <section key={name} aria-label={name}>
                <h3 className={classes.day}>{name}</h3>
                <ul>
                  {ofDay.map((item) => (
                    <BellItem key={item.id} item={item} markRead={() => markRead(item.id)} close={close} />
                  ))}
                </ul>
              </section>
            ));
          }}
        </QueryBoundary>
        {inbox.hasNextPage && (
          <div className={classes.more}>
            <MoreButton isLoading={inbox.isFetchingNextPage} showMore={() => void inbox.fetchNextPage()}>
              {texts.more}
            </MoreButton>
          </div>
        )}
      </div>
    </>
  );
}

/** Choice of a filter, in as many rows as the width requires. */
function FilterChoice({ filter, choose }: { filter: Filter; choose: (filter: Filter) => void }) {
  const texts = useTexts(INBOX);
  const group = useId();
  return (
    <div role="radiogroup" aria-label={texts.kind} className={classes.kinds}>
      <Chip.Group value={filter} onChange={choose}>
        {FILTERS.map((one) => (
          <Chip key={one} size="xs" name={group} value={one}>
            {texts.kinds[one]}
          </Chip>
        ))}
      </Chip.Group>
    </div>
  );
}

function Nothing({ filter }: { filter: Filter }) {
  const texts = useTexts(INBOX);
  const ownTexts = { all: texts.none, unread: texts.none, messages: texts.noMessages, reminders: texts.noReminders };
  const isAsked = filter === 'all' || filter === 'unread';
  const part = partOf(filter);
  const { title, text } = part === filter ? ownTexts[part] : texts.nothing;
  return (
    <Message
      icon={isAsked ? <IconBellOff size={20} aria-hidden /> : <IconFilterOff size={20} aria-hidden />}
      title={title}
    >
      {text}
    </Message>
  );
}

/** Marks one notification or `all` as read: at once here, and in other tabs through the live stream. */
function useMarkRead() {
  const { writes } = useApi();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: writes.markRead,
    onMutate: async (id) => {
      await cache.cancelQueries({ queryKey: KEYS.allNotifications });
      const unread = cache.getQueryData<number>(KEYS.unread) ?? 0;
      cache.setQueryData(KEYS.unread, id === 'all' ? 0 : Math.max(0, unread - 1));
      const readAt = new Date().toISOString();
      cache.setQueriesData<Inbox>({ queryKey: KEYS.allNotifications }, (inbox) => inbox && withRead(inbox, id, readAt));
    },
    onError: () => void cache.invalidateQueries({ queryKey: KEYS.unread }),
    onSettled: () => void cache.invalidateQueries({ queryKey: KEYS.allNotifications }),
  });
}
