import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Kpis, PurchaseOrderDetail } from '@po/contracts';
import { allReady } from '../../deploy/local/stack/readiness.js';
import { SERVICES, SERVICE_NAMES, type ServiceName } from '../../deploy/local/stack/stack-file.js';
import { tableOf } from '@po/testing/documents';
import { eventually } from '@po/testing/eventually';
import type { Run, Running } from './running.js';
import type { ImageWorld } from './world.js';

/** The time that a cluster gives a pod. */
const GRACE_MS = 45_000;

/** The commands of the jobs in deploy/README.md. */
function jobs(): { command: string[]; image: ServiceName }[] {
  return tableOf('deploy/README.md', 'jobs').map(([command = '', image = '']) => ({
    command: command.replaceAll('`', '').split(' '),
    image: SERVICES.find((service) => SERVICE_NAMES[service] === image) ?? 'purchaseOrders',
  }));
}

/** The exit code of what was told to end. Rejects with its last words while it does not. */
async function codeOf(running: Running): Promise<number | null> {
  let code: { value: number | null } | undefined;
  void running.exited.then((value) => (code = { value }));
  return eventually(
    'it ends',
    () => {
      if (!code) throw new Error(running.output().slice(-2_000));
      return code;
    },
    { timeoutMs: GRACE_MS },
  ).then(({ value }) => value);
}

/** What every way of running the images must show: the jobs, ready services, answers through the gateway, an orderly end. */
export function describeLife(open: () => { world: ImageWorld; run: Run }): void {
  let world: ImageWorld;
  let run: Run;
  const running = new Map<ServiceName, Running>();
  beforeAll(() => {
    ({ world, run } = open());
  });

  describe('jobs', () => {
    it.each(jobs().map((job) => [job.command.join(' '), job] as const))(
      'end well on empty stores, and again: %s',
      async (_name, { command, image }) => {
        for (const time of ['first', 'second']) {
          const job = run(image, world.jobEnvironment(image), command);
          const code = await codeOf(job);
          expect([time, code, code === 0 ? '' : job.output()]).toEqual([time, 0, '']);
          expect([time, /"created":\[\]|the schema is up to date/.test(job.output())]).toEqual([
            time,
            time === 'second',
          ]);
        }
      },
      120_000,
    );
  });

  describe('services', () => {
    it('become ready', async () => {
      for (const service of SERVICES) running.set(service, run(service, world.environmentOf(service)));
      const ended = new Map<ServiceName, number | null>();
      for (const [service, { exited }] of running) void exited.then((code) => ended.set(service, code));
      await eventually('all are ready', () => allReady(world.managementUrls), {
        timeoutMs: 90_000,
        giveUp: () => {
          const [service, code] = [...ended][0] ?? [];
          return (
            service && new Error(`${service} ended with ${code}:\n${running.get(service)?.output().slice(-2_000)}`)
          );
        },
      });
      expect(ended.size).toBe(0);
    }, 120_000);

    it('tell which version they are', async () => {
      for (const url of world.managementUrls) {
        const answer = (await (await fetch(`${url}/version`)).json()) as { version: string };
        expect(answer.version).toBe(world.version);
      }
    });

    it('answer through the gateway', async () => {
      const poRef = await world.importOrder();
      const vendor = world.as('vendor:ACME');
      const order = await eventually('the order is there', async () => {
        const answer = await vendor.get<PurchaseOrderDetail>(`/purchase-orders/${poRef}`);
        return answer.status === 200 && answer.body;
      });
      expect(order).toMatchObject({ poNumber: poRef, statusId: 100 });
      // Who is told of it must be known.
      expect((await world.as('buyer').get('/me')).status).toBe(200);
      const submitted = await vendor.post(`/purchase-orders/${poRef}/transition`, { action: 'SUBMIT' });
      expect(submitted.status).toBe(200);
      const unread = () => world.as('buyer').get<unknown[]>('/notifications?unread=true');
      await eventually('the buyer is told', async () => (await unread()).body.length > 0);
      await eventually('it is counted', async () => {
        const { status, body } = await world.as('buyer').get<Kpis>('/dashboard/kpis');
        return status === 200 && body.pending === 1;
      });
    }, 60_000);

    it('serve the portal', async () => {
      const page = await fetch(world.gatewayUrl);
      const script = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text())?.[1] ?? '';
      const file = await fetch(new URL(script, world.gatewayUrl));
      const types = [page, file].map(({ headers }) => headers.get('content-type'));
      expect(types).toEqual(['text/html; charset=utf-8', 'text/javascript; charset=utf-8']);
      expect(await file.text()).toMatch(/^(import|var|const) ?/);
      const configuration = await fetch(new URL('/portal.json', world.gatewayUrl));
      expect(await configuration.json()).toMatchObject({ clientId: 'po-portal' });
    });

    it('end with 0 on SIGTERM', async () => {
      const all = [...running.values()];
      await Promise.all(all.map((service) => service.stop()));
      const codes = await Promise.all(all.map((service) => codeOf(service)));
      expect(codes).toEqual(SERVICES.map(() => 0));
    }, 60_000);

    it('end at once on a second SIGTERM', async () => {
      const environment = { ...world.environmentOf('dashboard'), DRAIN_DELAY_MS: String(60 * 60_000) };
      const dashboard = run('dashboard', environment);
      await eventually('it is ready', () => allReady([world.managementUrls[SERVICES.indexOf('dashboard')] ?? '']), {
        timeoutMs: 60_000,
      });
      await dashboard.signal('SIGTERM');
      await eventually('it is draining', () => dashboard.output().includes('"draining"'));
      await dashboard.signal('SIGTERM');
      expect(await codeOf(dashboard)).toBe(1);
    }, 120_000);
  });
}
