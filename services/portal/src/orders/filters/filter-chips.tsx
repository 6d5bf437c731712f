import { Button, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useApi } from '../../api/api.js';
import { DUE } from '../../components/order/due-texts.js';
import { useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { FLAGS, FLAG_TERMS, ME, type OrdersSearch, changed, isFiltered, toggled, unfiltered } from './search.js';
import { ORDERS } from '../texts.js';
import classes from '../orders.module.css';

/** More PO numbers share one chip. */
const FEW_NUMBERS = 5;

interface Chip {
  name: string;
  value: string;
  without: OrdersSearch;
}

export function FilterChips({ search }: { search: OrdersSearch }) {
  const { filters } = useTexts(ORDERS);
  const navigate = useNavigate();
  const chips = useChips(search);
  if (!isFiltered(search)) return null;
  const go = (next: OrdersSearch) => void navigate({ to: '/orders', search: next });
  return (
    <>
      {chips.map(({ name, value, without }) => (
        <UnstyledButton
          key={`${name} ${value}`}
          className={classes.chip}
          aria-label={filters.remove(`${name} ${value}`.trim())}
          onClick={() => go(without)}
        >
          {name !== '' && <span className={classes.chipName}>{name}</span>}{' '}
          <span className={classes.chipValue} title={value}>
            {value}
          </span>
          <IconX size={12} aria-hidden />
        </UnstyledButton>
      ))}
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        className={classes.quietButton}
        onClick={() => go(unfiltered(search))}
      >
        {filters.clear}
      </Button>
    </>
  );
}

function useChips(search: OrdersSearch): Chip[] {
  const { filters } = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  const { rules } = useTexts(DUE);
  const { language } = useLanguage();
  const { queries } = useApi();
  const known = useQuery(queries.filters()).data;
  const localizedStatus = (label: string) => {
    const status = known?.statusDetails.find((one) => one.status === label);
    return status && language === 'zh' ? status.statusZh : label;
  };
  const buyerOf = (address: string) => {
    const email = address.toLowerCase();
    return (known?.buyers ?? []).find((one) => one.email.toLowerCase() === email)?.name ?? address;
  };
  const { status = [], vendor, buyer, poRef = [], due = [], search: text } = search;
  const chip = (of: 'search' | 'vendor' | 'buyer' | 'poRef', name: string, value: string | undefined): Chip[] =>
    value === undefined ? [] : [{ name, value, without: changed(search, { [of]: undefined }) }];
  return [
    ...chip('search', filters.contains, text),
    ...status.map((label) => ({
      name: terms.status,
      value: localizedStatus(label),
      without: toggled(search, 'status', label),
    })),
    ...due.map((rule) => ({ name: '', value: rules[rule], without: toggled(search, 'due', rule) })),
    ...chip('vendor', terms.vendor, vendor),
    ...chip('buyer', terms.buyer, buyer && (buyer === ME ? filters.me : buyerOf(buyer))),
    ...(poRef.length > FEW_NUMBERS
      ? chip('poRef', terms.poNumber, String(poRef.length))
      : poRef.map((ref) => ({ name: terms.poNumber, value: ref, without: toggled(search, 'poRef', ref) }))),
    ...FLAGS.filter((flag) => search[flag] !== undefined).map((flag) => ({
      name: search[flag] === true ? '' : filters.not,
      value: terms[FLAG_TERMS[flag]],
      without: changed(search, { [flag]: undefined }),
    })),
  ];
}
