import { describe, expect, it } from '@jest/globals';
import { notificationsStore } from '@mantine/notifications';
import { ApiProblem } from '@po/client';
import type { Writes } from '../api/writes.js';
import { refusal } from '../fixtures/refusal.js';
import type { Language } from '../language/dictionary.js';
import { exportFile } from './export-file.js';

/** Message of the toast after an export fails with this error. */
async function toastAfter(error: unknown, language: Language) {
  const writes = { exportOrders: () => Promise.reject(error as Error) } as unknown as Writes;
  const transfer = { signal: new AbortController().signal, received: () => undefined };
  await exportFile({ query: {}, format: 'csv', level: 'orders' }, writes, language, transfer);
  return notificationsStore.getState().notifications.at(-1)?.message;
}

describe('the message after a failed export', () => {
  it("is in the user's language and has the request id of the API", async () => {
    expect(await toastAfter(new TypeError('Failed to fetch'), 'zh')).toBe('请检查网络连接后重试。');
    expect(await toastAfter(await ApiProblem.of(refusal(400, { detail: 'Unknown vendor' })), 'en')).toBe(
      'Unknown vendor (r-1)',
    );
  });

  it('names the number of rows and the limit that they exceed', async () => {
    const tooLarge = refusal(422, { code: 'EXPORT_TOO_LARGE', ...{ rows: 200_001, limit: 200_000 } });
    expect(await toastAfter(await ApiProblem.of(tooLarge), 'en')).toMatch(
      /^The file would have 200,001 rows; the limit/,
    );
  });
});
