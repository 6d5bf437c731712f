import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { statusOf } from '@po/contracts';
import type { z } from 'zod';
import { Settings as DashboardSettings } from '../services/dashboard/src/config.js';
import { GatewaySettings } from '../services/gateway/src/config.js';
import { Settings as NotificationsSettings } from '../services/notifications/src/config.js';
import { Settings as PurchaseOrdersSettings } from '../services/purchase-orders/src/config.js';
import { workflowRows } from '../services/purchase-orders/src/domain/workflow.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Cells of the Markdown table between two markers, its two head lines left out. */
function tableOf(name: string): string[][] {
  const [, block = ''] = new RegExp(`<!-- ${name}:start -->([\\s\\S]*?)<!-- ${name}:end -->`).exec(readme) ?? [];
  return block
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const SERVICES: Record<string, z.ZodObject> = {
  gateway: GatewaySettings,
  'purchase-orders': PurchaseOrdersSettings,
  notifications: NotificationsSettings,
  dashboard: DashboardSettings,
};

function configurationRows(): string[][] {
  const variables = new Map<string, { services: string[]; schema: z.ZodType }>();
  for (const [service, settings] of Object.entries(SERVICES)) {
    for (const [variable, schema] of Object.entries(settings.shape)) {
      const known = variables.get(variable) ?? { services: [], schema: schema as z.ZodType };
      known.services.push(service);
      variables.set(variable, known);
    }
  }
  return Array.from(variables, ([variable, { services, schema }]) => [
    `\`${variable}\``,
    services.length === Object.keys(SERVICES).length ? 'all' : services.join(', '),
    schema.safeParse(undefined).success ? '' : 'yes',
    (schema.meta() as { description: string }).description,
  ]);
}

describe('the README', () => {
  it('has the workflow of the code', () => {
    const expected = workflowRows().map(({ statusId, action, roles, to }) => {
      const { status, statusZh } = statusOf(statusId);
      return [String(statusId), status, statusZh, action, roles.join(', '), `${to} ${statusOf(to).status}`];
    });
    expect(tableOf('workflow')).toEqual(expected);
  });

  it('has every variable of every service, with its meaning', () => {
    expect(tableOf('configuration')).toEqual(configurationRows());
  });

  it('names only files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)]
      .map(([, path]) => path ?? '')
      .filter((path) => !/^https?:/.test(path));
    expect(links.length).toBeGreaterThan(5);
    const missing = links.filter((path) => {
      try {
        readFileSync(new URL(`../${path}`, import.meta.url));
        return false;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code !== 'EISDIR';
      }
    });
    expect(missing).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run (?:--silent )?([a-z0-9-]+)/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names only tests that exist', () => {
    const named = [...readme.matchAll(/`([a-z-]+(?:\.(?:int|e2e))?\.spec\.ts)`/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(10);
    const existing = ['libs', 'services', 'deploy', 'test'].flatMap((folder) =>
      readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true }).map((path) =>
        String(path).split('/').at(-1),
      ),
    );
    expect(named.filter((name) => !existing.includes(name))).toEqual([]);
  });
});
