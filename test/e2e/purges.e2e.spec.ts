import { describe, expect, it } from '@jest/globals';
import { readStack } from '../support/stack.js';

describe('a service with a database', () => {
  it.each([
    ['purchaseOrders', ['command_log', 'command_refusals', 'reminder_backlog']],
    [
      'notifications',
      ['notifications_read', 'notifications_marked', 'notifications_old', 'view_commands', 'transitions'],
    ],
    ['mail', ['mails']],
  ] as const)('reports for each of its purges of obsolete rows how far it is behind: %s', async (service, purges) => {
    for (const url of readStack().managementUrls[service]) {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const found = [...metrics.matchAll(/^purge_behind_seconds\{.*?purge="(\w+)".*?\} \d/gm)].map(([, name]) => name);
      expect(found).toEqual(purges);
    }
  });
});
