import type { SortField } from '@po/contracts';

/** All orders, those of the vendor with a tenth of them, or those of one with a few. */
export type Reader = 'buyer' | 'large vendor' | 'small vendor';

interface NamedQuery {
  name: string;
  as: Reader;
  /** The list's parameters as they stand in a URL. */
  parameters: Record<string, string>;
}

const SORTED: readonly SortField[] = ['id', 'vendor', 'poDate', 'xfDate', 'status', 'amount'];
const LIMIT = 50;

const FILTERS: Record<string, Record<string, string>> = {
  'no filter': {},
  overdue: { overdue: 'true' },
  'no pending changes': { hasPendingChanges: 'false' },
  'pending changes': { hasPendingChanges: 'true' },
  'source conflict': { hasSourceConflict: 'true' },
  'status New': { status: 'New' },
  'status Delivered': { status: 'Delivered' },
};

const TERMS: Record<string, string> = {
  'a whole PO number': 'PO-4600001234',
  'part of a PO number': '0123',
  'two Chinese characters': '牛仔',
  'a colour': 'sage',
  'a kind of style': 'KT-',
  'two digits': '23',
  'one digit': '1',
  'every PO number': 'PO-4',
  nothing: 'q7x',
};

/** Every list that is measured, with so many orders in all. */
export function listQueries(orders: number): NamedQuery[] {
  const buyer = (name: string, parameters: Record<string, string>): NamedQuery => ({ name, as: 'buyer', parameters });
  const pages = { tenth: 10, middle: Math.ceil(orders / LIMIT / 2), last: Math.ceil(orders / LIMIT) };
  return [
    ...Object.entries(FILTERS).map(([name, parameters]) => buyer(`list, ${name}`, parameters)),
    ...SORTED.flatMap((sortField) => [
      buyer(`by ${sortField}, first page`, { sortField }),
      ...Object.entries(pages).map(([name, page]) =>
        buyer(`by ${sortField}, ${name} page`, { sortField, page: `${page}` }),
      ),
    ]),
    ...Object.entries(TERMS).map(([name, search]) => buyer(`search, ${name}`, { search })),
    buyer('search, a colour, by amount, last page', {
      search: 'sage',
      sortField: 'amount',
      page: '999999',
      limit: '1',
    }),
    buyer('search, a colour, status New', { search: 'sage', status: 'New' }),
    ...(['large vendor', 'small vendor'] as const).flatMap((as): NamedQuery[] => [
      { name: 'list, no filter', as, parameters: {} },
      { name: 'by amount', as, parameters: { sortField: 'amount' } },
      { name: 'search, a colour', as, parameters: { search: 'sage' } },
      { name: 'search, one digit', as, parameters: { search: '1' } },
    ]),
  ];
}
