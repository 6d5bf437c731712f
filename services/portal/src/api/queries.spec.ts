import { describe, expect, it } from '@jest/globals';
import { createClient } from '@po/client';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { eventually } from '@po/testing/eventually';
import { queriesOf } from './queries.js';

describe('the query of a page of orders', () => {
  it.each([
    ['keeps the previous page until the answer', [{ poRef: 'PO-1' }]],
    ['keeps no empty page, which would say that there are no orders', []],
  ])('%s', async (_what, data) => {
    const page = { data, pagination: { total: data.length } };
    const queries = queriesOf(
      createClient({
        baseUrl: 'http://x/api',
        token: 't',
        fetch: ({ url }) =>
          url.includes('page=2') ? new Promise(() => undefined) : Promise.resolve(Response.json(page)),
      }),
    );
    const cache = new QueryClient();
    const observer = new QueryObserver(cache, queries.orders({ page: 1 }));
    const stop = observer.subscribe(() => undefined);
    await eventually('the first page is loaded', () => observer.getCurrentResult().isSuccess);
    observer.setOptions(queries.orders({ page: 2 }));
    expect(observer.getCurrentResult().data).toEqual(data.length > 0 ? page : undefined);
    stop();
    cache.clear();
  });
});
