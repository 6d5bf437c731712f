import type { OrdersQuery } from '../api/schemas.js';

/** What stands in the address of the list. Whatever is left out is as by default. */
export interface OrdersSearch {
  status?: string[];
  search?: string;
  page?: number;
}

const PAGE_SIZE = 50;
const LONGEST_SEARCH = 100;

/** Reads an address, also one that somebody typed: what cannot be meant is left out. */
export function readOrdersSearch(raw: Record<string, unknown>): OrdersSearch {
  const { status, search, page } = raw;
  const statuses = [status].flat().filter((one): one is string => typeof one === 'string' && one !== '');
  const text = typeof search === 'string' || typeof search === 'number' ? String(search).trim() : '';
  const number = Number(page);
  return {
    ...(statuses.length > 0 && { status: statuses }),
    ...(text !== '' && { search: text.slice(0, LONGEST_SEARCH) }),
    ...(Number.isSafeInteger(number) && number > 1 && { page: number }),
  };
}

/** The same as a question to the API. */
export const queryOf = ({ page = 1, ...filters }: OrdersSearch): OrdersQuery => ({
  ...filters,
  page,
  limit: PAGE_SIZE,
});
