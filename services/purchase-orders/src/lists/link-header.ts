import type { ListQuery } from '@po/contracts';

/** Proxies commonly accept 4 KiB for all headers of a response, and Node's clients 16 KiB. */
const MAX_LENGTH = 3_000;

/** `Link` header of a page (RFC 8288, 3): those of first, prev, next and last that exist and fit; empty if none fits. */
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
  // If only some links fit, the header keeps those that a reader of all pages follows.
  const dropped = ['last', 'first', 'prev', 'next'] as const;
  const headerOf = () => Object.values(links).filter(Boolean).join(', ');
  for (const relation of dropped) if (headerOf().length > MAX_LENGTH) links[relation] = '';
  return headerOf();
}
