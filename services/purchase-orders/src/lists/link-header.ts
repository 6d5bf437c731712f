import type { ListQuery } from '@po/contracts';

/** Proxies commonly have 4 KiB for all headers of an answer, and Node's clients 16. */
const MAX_LENGTH = 3_000;

/** The `Link` header of a page: first, prev, next and last as they exist, and as many of them as it has room for, maybe none (RFC 8288, 3). */
export function linkHeader(path: string, query: ListQuery, totalPages: number): string {
  const { page: current, ...rest } = query;
  const parameters = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  const lastPage = Math.max(totalPages, 1);
  const linkTo = (relation: string, page: number) =>
    `<${path}?${new URLSearchParams([...parameters, ['page', String(page)]])}>; rel="${relation}"`;
  const links = {
    first: linkTo('first', 1),
    prev: current > 1 ? linkTo('prev', Math.min(current - 1, lastPage)) : '',
    next: current < lastPage ? linkTo('next', current + 1) : '',
    last: linkTo('last', lastPage),
  };
  // Where a header has room for some alone, those that a reader of all pages follows.
  const dropped = ['last', 'first', 'prev', 'next'] as const;
  const headerOf = () => Object.values(links).filter(Boolean).join(', ');
  for (const relation of dropped) if (headerOf().length > MAX_LENGTH) links[relation] = '';
  return headerOf();
}
