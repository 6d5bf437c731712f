import { Menu, TextInput } from '@mantine/core';
import { MAX_PO_REFS, MAX_SEARCH } from '@po/contracts/constants';
import { notifications } from '@mantine/notifications';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, useEffect, useRef, useState } from 'react';
import { useApi, useRole } from '../../api/api.js';
import { AsyncBoundary } from '../../components/loading-and-errors/states.js';
import { STATES } from '../../components/loading-and-errors/texts.js';
import { isComposing } from '../../components/forms/is-composing.js';
import { DUE } from '../../components/order/due-texts.js';
import { dueRulesOf } from '../../components/order/next-due.js';
import { StatusBadge } from '../../components/order/status-badge.js';
import { useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { ListMenu } from '../list-menu.js';
import { FilterChips } from './filter-chips.js';
import { KeysHelp } from '../keyboard/keys-help.js';
import { FLAGS, FLAG_TERMS, type OrdersSearch, changed, pastedPoRefs, toggled } from './search.js';
import { ORDERS } from '../texts.js';
import { useCharacterKeys, useKeys } from '../keyboard/use-keys.js';
import classes from '../orders.module.css';

const TYPING_MS = 250;
/** Loaded when one of the menus that use it is opened. */
const Choices = lazy(() => import('./choices.js'));

export function FilterBar({ search }: { search: OrdersSearch }) {
  const texts = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  const { rules } = useTexts(DUE);
  const { loading } = useTexts(STATES);
  const { queries } = useApi();
  const role = useRole();
  const navigate = useNavigate();
  const { data: filters, isLoadingError, refetch } = useQuery(queries.filters());
  const missing = isLoadingError ? (
    <Menu.Item onClick={() => void refetch()}>{texts.filters.retry}</Menu.Item>
  ) : (
    !filters && <Menu.Label>{loading}</Menu.Label>
  );
  const hasVendors = role !== undefined && role !== 'VENDOR';
  const choices = {
    vendor: filters?.vendors.map((name) => ({ value: name, name })) ?? [],
    buyer: (filters?.buyers ?? []).map(({ name, email }) => ({ value: email, name: name ?? email })),
  };
  const go = (next: OrdersSearch) => void navigate({ to: '/orders', search: next });
  return (
    <div role="search" aria-label={texts.filters.title} className={classes.bar}>
      <SearchField search={search} />
      <ListMenu label={terms.status}>
        {missing}
        {filters?.statusDetails.map((status) => (
          <Menu.CheckboxItem
            key={status.statusId}
            checked={search.status?.includes(status.status) === true}
            onChange={() => go(toggled(search, 'status', status.status))}
          >
            <StatusBadge status={status} />
          </Menu.CheckboxItem>
        ))}
      </ListMenu>
      <ListMenu label={texts.flags}>
        {FLAGS.map((flag) => (
          <Menu.CheckboxItem
            key={flag}
            checked={search[flag] === true}
            onChange={(is) => go(changed(search, { [flag]: is ? true : undefined }))}
          >
            {terms[FLAG_TERMS[flag]]}
          </Menu.CheckboxItem>
        ))}
      </ListMenu>
      <ListMenu label={terms.due}>
        {dueRulesOf(role).map((rule) => (
          <Menu.CheckboxItem
            key={rule}
            checked={search.due?.includes(rule) === true}
            onChange={() => go(toggled(search, 'due', rule))}
          >
            {rules[rule]}
          </Menu.CheckboxItem>
        ))}
      </ListMenu>
      {hasVendors &&
        (['vendor', 'buyer'] as const).map((of) => (
          <ListMenu key={of} label={terms[of]}>
            {missing || (
              <AsyncBoundary>
                <Choices
                  of={of}
                  choices={choices[of]}
                  chosen={search[of]}
                  choose={(value) => go(changed(search, { [of]: value }))}
                />
              </AsyncBoundary>
            )}
          </ListMenu>
        ))}
      <FilterChips search={search} />
      <KeysHelp />
    </div>
  );
}

/** Search field. Its text goes to the URL after a short delay and replaces the history entry. */
function SearchField({ search }: { search: OrdersSearch }) {
  const texts = useTexts(ORDERS);
  const navigate = useNavigate();
  const { history } = useRouter();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const present = search.search ?? '';
  const [typed, setTyped] = useState({ present, text: present, sent: null as string | null });
  // Takes over a change by a chip, a view or the back button. Keeps newer input if the change is an earlier state of this field.
  if (typed.present !== present) setTyped({ present, text: typed.sent === present ? typed.text : present, sent: null });
  useEffect(() => () => clearTimeout(timer.current), []);
  const [characters] = useCharacterKeys();
  useKeys((command) => {
    if (command === 'search') field.current?.focus();
    return command === 'search';
  });
  const type = (text: string, afterMs: number) => {
    setTyped((now) => ({ ...now, text }));
    clearTimeout(timer.current);
    const go = () => {
      // The user may have opened an order in the meantime, even if its page is still loading, or cleared the filters.
      if (history.location.pathname !== '/orders' || field.current?.value !== text) return;
      setTyped((now) => ({ ...now, sent: text.trim() }));
      void navigate({ to: '/orders', search: (now) => changed(now as OrdersSearch, { search: text }), replace: true });
    };
    timer.current = setTimeout(go, afterMs);
  };
  return (
    <TextInput
      ref={field}
      className={classes.searchField}
      size="sm"
      maxLength={MAX_SEARCH}
      aria-label={texts.filters.searchLabel}
      title={texts.filters.paste}
      placeholder={texts.filters.search}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        characters && (
          <kbd aria-hidden className={classes.slash}>
            /
          </kbd>
        )
      }
      value={typed.text}
      onChange={({ currentTarget }) => type(currentTarget.value, TYPING_MS)}
      onPaste={(event) => {
        const poRef = pastedPoRefs(event.clipboardData.getData('text'));
        if (poRef.length === 0) return;
        event.preventDefault();
        if (poRef.length > MAX_PO_REFS)
          notifications.show({ message: texts.filters.tooMany(MAX_PO_REFS, poRef.length) });
        clearTimeout(timer.current);
        setTyped((now) => ({ ...now, text: '' }));
        void navigate({ to: '/orders', search: changed(search, { poRef, search: undefined }) });
      }}
      onKeyDown={({ key, nativeEvent }) => {
        if (isComposing(nativeEvent)) return;
        if (key === 'Escape' && typed.text !== '') type('', 0);
        else if (key === 'Escape' || key === 'Enter') field.current?.blur();
      }}
    />
  );
}
