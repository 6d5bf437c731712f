import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApi, useMe } from '../../api/api.js';
import type { Message as PostedText } from '../../api/schemas.js';
import { anchorOf, messageAnchorOf } from '../../components/order/history-anchor.js';
import { Message, ProblemLine, QueryBoundary } from '../../components/loading-and-errors/states.js';
import { MoreButton } from '../../components/more-button.js';
import { Panel } from '../../components/page.js';
import { STATES } from '../../components/loading-and-errors/texts.js';
import { TextSkeleton } from '../../components/loading-and-errors/skeletons.js';
import { useFormats, useTexts } from '../../language/language.js';
import { Entry } from '../timeline/entry.js';
import type { HistoryEntry } from '../timeline/entries.js';
import timeline from '../timeline/timeline.module.css';
import { Composer } from './composer.js';
import { PostedMessage } from './posted-message.js';
import {
  FILTERS,
  type Filter,
  type TimelineItem,
  lastNew,
  newSince,
  pagesWith,
  mergeTimeline,
} from './timeline-items.js';
import { CONVERSATION } from './texts.js';
import { useCanWrite } from './use-message-draft.js';
import { useMessages } from './use-messages.js';
import { useCountInTitle, useSeen } from './use-seen.js';
import styles from '../../theme/text.module.css';
import classes from './conversation.module.css';

const PAGE = 5;
/** Maximum number of new items shown without a click. */
const MAX_NEW = 50;
const MAX_READ_ALOUD = 200;

/** Timeline of an order: changes and messages, newest first. New items by others appear without a reload. */
export function TimelinePanel({ poRef }: { poRef: string }) {
  const { queries } = useApi();
  const texts = useTexts(CONVERSATION);
  const history = useQuery(queries.history(poRef));
  const anchor = useLocation({ select: ({ hash }) => hash });
  const { query, messages, hasOlder, isUnknown, failed } = useMessages(poRef, anchor, history.data ?? []);
  const me = useMe();
  const mayWrite = useCanWrite();
  const { quantity } = useFormats();
  const user = me?.userId ?? '';
  const all = mergeTimeline(history.data ?? [], messages, { filter: 'all', hasOlder });
  const isLoaded = history.data !== undefined && query.data !== undefined && me !== undefined;
  const { seen, before, top } = useSeen(poRef, isLoaded ? (all[0]?.at ?? null) : null);
  const unread = newSince(all, seen, user).length;
  useCountInTitle(unread);
  return (
    <Panel
      title={texts.title}
      aside={unread > 0 && <span className={classes.unread}>{texts.unread(quantity(unread))}</span>}
    >
      {mayWrite && <Composer poRef={poRef} canBeInternal={me?.role !== 'VENDOR'} />}
      {query.data && <Arrivals messages={messages} me={user} />}
      {isUnknown && (
        <p role="alert" className={classes.unknown}>
          {texts.unknown}
        </p>
      )}
      {failed && <ProblemLine key={failed.errorUpdatedAt} error={failed.error} retry={() => void failed.refetch()} />}
      {query.isError && (
        <ProblemLine
          key={query.errorUpdatedAt}
          error={query.error}
          retry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        />
      )}
      <div ref={top} />
      <QueryBoundary query={history} skeleton={<TextSkeleton lines={8} />}>
        {(entries) =>
          entries.length + messages.length === 0 ? (
            <Message icon={<IconHistory size={20} aria-hidden />} title={texts.empty.title}>
              {texts.empty.text}
            </Message>
          ) : (
            <Items
              {...{ all, entries, messages, hasOlder, anchor, user, before, isLoaded }}
              isLoading={query.isFetchingNextPage}
              loadOlder={() => void query.fetchNextPage()}
            />
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

/** Announces new messages by others to screen readers while the page is open. */
function Arrivals({ messages, me }: { messages: readonly PostedText[]; me: string }) {
  const texts = useTexts(CONVERSATION);
  const [newest] = messages;
  const [known, setKnown] = useState({ id: newest?.id ?? '', arrived: null as PostedText | null });
  // Ids sort in the order in which messages were written.
  if (newest !== undefined && newest.id !== known.id) {
    const isNew = newest.id > known.id && newest.authorId !== me;
    setKnown({ id: newest.id, arrived: isNew ? newest : known.arrived });
  }
  const { arrived } = known;
  const text = arrived && Array.from(arrived.body).slice(0, MAX_READ_ALOUD).join('');
  return (
    <VisuallyHidden role="status" aria-atomic>
      {arrived && texts.arrived(arrived.authorName ?? arrived.authorId, text ?? '')}
    </VisuallyHidden>
  );
}

interface ItemsProps {
  /** `entries` and `messages`, merged. */
  all: readonly TimelineItem[];
  entries: readonly HistoryEntry[];
  messages: readonly PostedText[];
  hasOlder: boolean;
  anchor: string;
  user: string;
  /** Time up to which the user had seen everything before this visit. */
  before: string | null;
  isLoaded: boolean;
  isLoading: boolean;
  loadOlder: () => void;
}

function Items({ all, entries, messages, hasOlder, anchor, user, before, isLoaded, isLoading, loadOlder }: ItemsProps) {
  const texts = useTexts(CONVERSATION);
  const states = useTexts(STATES);
  const { quantity } = useFormats();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<{ filter: Filter; shown: number }>({ filter: 'all', shown: PAGE });
  const place = all.findIndex((item) => anchorOfItem(item) === anchor);
  // A link in a notification or e-mail shows its item, whatever filter was chosen before.
  const led = place !== -1;
  const news = isLoaded ? newSince(all, before, user) : [];
  const atLeast = Math.min(news.length, MAX_NEW);
  const filter = led ? 'all' : chosen.filter;
  const shown = Math.max(led ? pagesWith(place, chosen.shown, PAGE) : chosen.shown, atLeast);
  const choose = (next: typeof chosen) => {
    setChosen(next);
    // Removes the hash: otherwise following the same link again would change nothing.
    if (anchor !== '') void navigate({ to: '.', hash: '', replace: true, state: true, resetScroll: false });
  };
  const found = filter === 'all' ? all : mergeTimeline(entries, messages, { filter, hasOlder });
  const hasMore = hasOlder && filter !== 'changes';
  const last = isLoaded ? lastNew(all, before, user) : null;
  useEffect(() => {
    if (!led) return;
    const element = document.getElementById(anchor);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [led, anchor]);
  const divider = <p className={classes.divider}>{texts.newSince(quantity(news.length))}</p>;
  return (
    <>
      <SegmentedControl
        className={timeline.kinds}
        size="xs"
        fullWidth
        aria-label={texts.filter}
        value={filter}
        onChange={(next) => choose({ filter: next as Filter, shown: PAGE })}
        data={FILTERS.map((one) => ({ value: one, label: texts.filters[one] }))}
      />
      {found.length === 0 && filter !== 'all' && <p className={styles.paragraph}>{texts.nothing[filter]}</p>}
      <ol className={timeline.entries}>
        {found.slice(0, shown).map((item) => {
          const isLinkTarget = anchorOfItem(item) === anchor;
          const line = item.id === last && divider;
          return item.kind === 'change' ? (
            <Entry key={item.id} entry={item.entry} isLinkTarget={isLinkTarget}>
              {line}
            </Entry>
          ) : (
            <PostedMessage key={item.id} message={item.message} isLinkTarget={isLinkTarget}>
              {line}
            </PostedMessage>
          );
        })}
      </ol>
      {(found.length > shown || hasMore) && (
        <MoreButton
          isLoading={isLoading}
          showMore={() => {
            if (found.length < shown + PAGE && hasMore) loadOlder();
            choose({ filter, shown: shown + PAGE });
          }}
        >
          {found.length > shown ? states.more(quantity(Math.min(PAGE, found.length - shown))) : texts.older}
        </MoreButton>
      )}
    </>
  );
}

const anchorOfItem = (item: TimelineItem): string =>
  item.kind === 'change' ? anchorOf(item.id) : messageAnchorOf(item.id);
