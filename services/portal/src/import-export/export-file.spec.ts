import { describe, expect, it } from '@jest/globals';
import { notifications, notificationsStore } from '@mantine/notifications';
import { ApiProblem } from '@po/client';
import type { ExportFile, Writes } from '../api/writes.js';
import { refusal } from '../fixtures/refusal.js';
import type { Language } from '../language/dictionary.js';
import { exportFile } from './export-file.js';

/** Message of the toast after an export with this answer or error. */
async function toastAfter(answer: ExportFile | Error, language: Language) {
  notifications.clean();
  const exportOrders = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const writes = { exportOrders } as unknown as Writes;
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

  it.each(['PO Number\r\nPO-1\r\n', 'PO Number\r\nPO-1\r\nPO-', 'PO Number\r\n"PO\n1"\r\n', ''])(
    'says that the connection is bad if the file has fewer rows than its header says: %j',
    async (text) => {
      const file = { name: 'orders.csv', type: 'text/csv', content: new Response(text).body, rows: 2 };
      expect(await toastAfter(file, 'en')).toBe('Check your connection, then try again.');
    },
  );

  it('names the number of rows and the limit that they exceed', async () => {
    const tooLarge = refusal(422, { code: 'EXPORT_TOO_LARGE', ...{ rows: 200_001, limit: 200_000 } });
    expect(await toastAfter(await ApiProblem.of(tooLarge), 'en')).toMatch(
      /^The file would have 200,001 rows; the limit/,
    );
  });
});
