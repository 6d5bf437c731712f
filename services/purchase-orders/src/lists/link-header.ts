import type { ListQuery } from '@po/contracts';

/** Proxies commonly have 4 KiB for all headers of an answer, and Node's clients 16. */
const MAX_LENGTH = 3_000;

/** The `Link` header of a page: next, prev, first and last as they exist, and as many of them as it has room for, maybe none (RFC 8288, 3). */
export function linkHeader(path: string, query: ListQuery, totalPages: number): string {
  const { page: _page, status, ...rest } = query;
  const parameters = Object.entries({ status: status?.join(','), ...rest })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  const lastPage = Math.max(totalPages, 1);
  const pages: [string, number][] = [];
  if (query.page < lastPage) pages.push(['next', query.page + 1]);
  if (query.page > 1) pages.push(['prev', Math.min(query.page - 1, lastPage)]);
  pages.push(['first', 1], ['last', lastPage]);
  let header = '';
  for (const [relation, page] of pages) {
    const search = new URLSearchParams([...parameters, ['page', String(page)]]);
    const longer = [header, `<${path}?${search}>; rel="${relation}"`].filter(Boolean).join(', ');
    if (longer.length > MAX_LENGTH) break;
    header = longer;
  }
  return header;
}
