import type { ListQuery } from '@po/contracts';

/** The `Link` header of a page: first, prev, next and last as they exist. */
export function linkHeader(path: string, query: ListQuery, totalPages: number): string {
  const { page: _page, status, ...rest } = query;
  const parameters = Object.entries({ status: status?.join(','), ...rest })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  const lastPage = Math.max(totalPages, 1);
  const pages: [string, number][] = [['first', 1]];
  if (query.page > 1) pages.push(['prev', Math.min(query.page - 1, lastPage)]);
  if (query.page < lastPage) pages.push(['next', query.page + 1]);
  pages.push(['last', lastPage]);
  return pages
    .map(([relation, page]) => {
      const search = new URLSearchParams([...parameters, ['page', String(page)]]);
      return `<${path}?${search}>; rel="${relation}"`;
    })
    .join(', ');
}
