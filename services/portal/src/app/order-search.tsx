import { Spotlight, createSpotlight, useSpotlight } from '@mantine/spotlight';
import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { MAX_SEARCH } from '@po/contracts/constants';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useId, useReducer, useState } from 'react';
import '@mantine/spotlight/styles.layer.css';
import '../theme/mantine-dialog.js';
import { useApi, useRole } from '../api/api.js';
import { isComposing } from '../components/forms/is-composing.js';
import { STATES } from '../components/loading-and-errors/texts.js';
import { StatusBadge } from '../components/order/status-badge.js';
import { dictionary } from '../language/dictionary.js';
import { useFormats, useTexts } from '../language/language.js';
import { readOrdersSearch } from '../orders/filters/search.js';
import { useSearchActions } from './search-actions.js';
import { APP } from './texts.js';
import classes from './order-search.module.css';

const ORDER_SEARCH = dictionary({
  placeholder: ['PO number, style, SKU, page or action', '订单号、款号、SKU、页面或操作'],
  results: ['Results', '结果'],
  found: (count: string, isOne: boolean) => [isOne ? '1 result' : `${count} results`, `${count} 条结果`],
  nothing: ['No matching orders', '没有符合条件的订单'],
  pages: ['Pages', '页面'],
  actions: ['Actions', '操作'],
  hint: ['Type to search orders', '输入关键词搜索订单'],
  failed: ['The search failed', '搜索失败'],
});

const TYPING_MS = 150;
const SHOWN = 8;

const [store, spotlight] = createSpotlight();

/** Global search for orders, pages and global actions. Opens again whenever `openings` changes. */
export default function OrderSearch({ openings }: { openings: number }) {
  const texts = useTexts(APP);
  const own = useTexts(ORDER_SEARCH);
  const states = useTexts(STATES);
  const navigate = useNavigate();
  const { history } = useRouter();
  const { queries } = useApi();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), TYPING_MS);
  // No results for an earlier text: Enter would open one of them.
  const placeholderData = undefined;
  const found = useQuery({ ...queries.orders({ search, limit: SHOWN }), enabled: search !== '', placeholderData });
  // The order with exactly this number comes first. It may be older than many that contain the number.
  const { poRef } = readOrdersSearch({ poRef: search });
  const exact = useQuery({ ...queries.orders({ poRef, limit: SHOWN }), enabled: poRef !== undefined, placeholderData });
  const first = poRef ? (exact.data?.data ?? (exact.isError ? [] : undefined)) : [];
  useEffect(() => spotlight.open(), [openings]);
  const role = useRole();
  const pages = [
    { to: '/orders', label: texts.orders },
    { to: '/dashboard', label: texts.dashboard },
    { to: '/import', label: texts.import },
    { to: '/preferences', label: texts.preferences },
    ...(role === undefined || role === 'VENDOR' ? [] : [{ to: '/approval-policies', label: texts.policies } as const]),
  ] as const;
  const isCurrent = search === text.trim();
  const others = found.data?.data.filter((order) => !first?.some((one) => one.poRef === order.poRef));
  const orders = search !== '' && isCurrent && first && others ? [...first, ...others] : undefined;
  const isThere = orders !== undefined;
  const pending = found.isPaused ? states.away.title : states.loading;
  // Selects the first result, for Enter. Spotlight only does so on a key press, before the orders arrive.
  useEffect(() => {
    if (isThere) store.setState({ ...store.getState(), selected: 0 });
  }, [isThere]);
  const fits = ({ label }: { label: string }) => label.toLowerCase().includes(text.trim().toLowerCase());
  const fitting = pages.filter(fits);
  const actions = useSearchActions().filter(fits);
  const firstPage = orders?.length ?? 0;
  const firstAction = firstPage + fitting.length;
  const count = firstAction + actions.length;
  const { selected } = useSpotlight(store);
  // Spotlight does not tell its listeners about selections by arrow keys.
  const [, renderAgain] = useReducer((times: number) => times + 1, 0);
  const list = useId();
  const idOf = (index: number) => `${list}-${index}`;
  /** Spotlight sets no roles, and passes no `id` on. */
  const option = (index: number) => ({
    role: 'option',
    'aria-selected': index === selected,
    'data-selected': index === selected || undefined,
    attributes: { root: { id: idOf(index) } },
  });
  const { quantity } = useFormats();
  const hasFailed = found.isError && isCurrent;
  const message = text.trim() === '' ? own.hint : orders ? own.nothing : hasFailed ? own.failed : pending;
  const shown = firstPage === 0 && <Spotlight.Empty>{message}</Spotlight.Empty>;
  // Read once per search, not per letter.
  const isLoading = message === states.loading;
  const isHeard = !isLoading && (count === 0 || (text.trim() !== '' && message !== own.nothing && firstPage === 0));
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      scrollable
      maxHeight={400}
      centered={false}
      yOffset={96}
      size={560}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      classNames={{ search: classes.search, action: classes.action, empty: classes.empty }}
      attributes={{ content: { 'aria-label': texts.search } }}
    >
      <Spotlight.Search
        placeholder={own.placeholder}
        aria-label={texts.search}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={count > 0}
        aria-controls={list}
        aria-activedescendant={selected >= 0 && selected < count ? idOf(selected) : undefined}
        maxLength={MAX_SEARCH}
        leftSection={<IconSearch size={16} aria-hidden />}
        onKeyDown={renderAgain}
        // Spotlight takes the Enter that ends a composition in Safari for a choice.
        onKeyDownCapture={(event) => isComposing(event.nativeEvent) && event.stopPropagation()}
      />
      <Spotlight.ActionsList>
        <div id={list} role="listbox" aria-label={own.results}>
          {orders && orders.length > 0 && (
            <Spotlight.ActionsGroup role="group" label={texts.orders} aria-label={texts.orders}>
              {orders.map((order, index) => (
                <Spotlight.Action
                  key={order.poRef}
                  {...option(index)}
                  label={order.poNumber}
                  description={order.vendor}
                  rightSection={<StatusBadge status={order} />}
                  onClick={() =>
                    void navigate({
                      to: '/orders/$poRef',
                      params: { poRef: order.poRef },
                      state: { fromList: history.location.pathname === '/orders' },
                    })
                  }
                />
              ))}
            </Spotlight.ActionsGroup>
          )}
          {fitting.length > 0 && (
            <Spotlight.ActionsGroup role="group" label={own.pages} aria-label={own.pages}>
              {fitting.map(({ to, label }, index) => (
                <Spotlight.Action
                  key={to}
                  {...option(firstPage + index)}
                  label={label}
                  leftSection={<IconArrowRight size={16} aria-hidden />}
                  onClick={() => void navigate({ to })}
                />
              ))}
            </Spotlight.ActionsGroup>
          )}
          {actions.length > 0 && (
            <Spotlight.ActionsGroup role="group" label={own.actions} aria-label={own.actions}>
              {actions.map(({ label, Icon, run }, index) => (
                <Spotlight.Action
                  key={label}
                  {...option(firstAction + index)}
                  label={label}
                  leftSection={<Icon size={16} aria-hidden />}
                  onClick={run}
                />
              ))}
            </Spotlight.ActionsGroup>
          )}
        </div>
        {!isHeard && shown}
        <div role="status">
          {isHeard ? shown : !isLoading && <VisuallyHidden>{own.found(quantity(count), count === 1)}</VisuallyHidden>}
        </div>
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
