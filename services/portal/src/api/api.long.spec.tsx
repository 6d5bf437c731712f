/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it } from '@jest/globals';
import { openApi } from './api.js';

const SESSION = {
  token: () => Promise.resolve('token'),
  renew: () => Promise.resolve('token'),
  retryToken: () => false,
};
const { fetch: original } = globalThis;

describe('the API of the portal', () => {
  afterEach(() => {
    globalThis.fetch = original;
  });

  it("sends each request past the browser's cache, which does not tell the users of a computer apart", async () => {
    const sent: (RequestCache | undefined)[] = [];
    globalThis.fetch = (_request, options) => {
      sent.push(options?.cache);
      return Promise.resolve(Response.json({}));
    };
    const { client } = openApi(SESSION, () => 'en');
    await client.GET('/purchase-orders/{poRef}', { params: { path: { poRef: 'PO-1' } } });
    expect(sent).toEqual(['no-store']);
  });
});
