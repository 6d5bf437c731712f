import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Api } from '../../deploy/local/api-client.js';
import type { DemoUserName } from '../../deploy/local/demo/users.js';
import { sendToInventory, upserted } from '../../deploy/local/inventory-feed.js';
import { HOST, takePorts } from '../../deploy/local/processes/ports.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { demoToken } from '../../deploy/local/stack/demo-token.js';
import { startIdentityProvider } from '../../deploy/local/stack/identity-provider.js';
import { loadKeys } from '../../deploy/local/stack/keys.js';
import { type ServiceSettings, environmentOf } from '../../deploy/local/stack/services.js';
import { PORTAL_CLIENT_ID, portalClient } from '../../deploy/local/stack/sign-in/portal-client.js';
import { SERVICES, type ServiceName } from '../../deploy/local/stack/stack-file.js';
import { createDatabases } from '@po/testing/service-databases';
import { startInfrastructure } from '../../deploy/local/stores/infrastructure.js';
import { apiClient } from '../support/api-client.js';

/** Stores without topics and tables, and all that the services must be told to work with them. */
export interface ImageWorld {
  environmentOf: (service: ServiceName) => Record<string, string>;
  jobEnvironment: (service: ServiceName) => Record<string, string>;
  /** In the order of SERVICES. */
  managementUrls: string[];
  /** That the services must tell. */
  version: string;
  gatewayUrl: string;
  as: (user: DemoUserName) => Api;
  /** Sends an order of ACME's; answers its number. */
  importOrder: () => Promise<string>;
  close: () => Promise<void>;
}

/** Starts the stores in a folder, as processes of this machine; programs that they need are kept in `cache`. */
export async function openWorld({ dir, cache }: { dir: string; cache: string }): Promise<ImageWorld> {
  await mkdir(dir, { recursive: true });
  const processes = new Processes(dir);
  const ports = await takePorts(dir, ['jwks', 'http', ...SERVICES]);
  const keys = await loadKeys(dir);
  const identity = { issuer: 'https://id.test.example', audience: 'purchase-orders' };
  const gatewayUrl = `http://${HOST}:${ports.http}`;
  const demo = { key: keys.identity, ...identity };
  const provider = await startIdentityProvider({
    identity: demo,
    client: portalClient([gatewayUrl]),
    port: ports.jwks,
  });
  try {
    const { kafkaBrokers, databaseUrl, redisUrl } = await startInfrastructure({
      dir,
      cache,
      processes,
      step: (_label, work) => work(),
      fresh: false,
      settings: { infrastructure: 'embedded', external: {} },
      docker: () => Promise.reject(new Error('these tests have stores of their own')),
    });
    const databases = await createDatabases(databaseUrl);
    const settings: ServiceSettings = {
      kafkaBrokers,
      redisUrl,
      databases,
      keys,
      ...identity,
      jwksUrl: provider.jwksUrl,
      // Images are tested without a mail server.
      smtpUrl: null,
      publicUrl: gatewayUrl,
      environment: {
        PORTAL: 'true',
        PORTAL_OIDC_AUTHORITY: provider.authority,
        PORTAL_OIDC_CLIENT_ID: PORTAL_CLIENT_ID,
      },
    };
    const tokens = new Map<DemoUserName, string>();
    for (const user of ['buyer', 'vendor:ACME'] as const) tokens.set(user, await demoToken(demo, user));
    const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
    return {
      environmentOf: (service) => environmentOf(service, settings, { http: ports.http, management: ports[service] }),
      jobEnvironment: (service) => ({
        KAFKA_BROKERS: kafkaBrokers,
        KAFKA_REPLICATION: '1',
        DATABASE_URL_MIGRATIONS:
          databases[service === 'notifications' || service === 'mail' ? service : 'purchaseOrders'].migrations,
      }),
      managementUrls: SERVICES.map((service) => `http://${HOST}:${ports[service]}`),
      version,
      gatewayUrl,
      as: (user) => apiClient(gatewayUrl, tokens.get(user)),
      importOrder: async () => {
        const poNumber = `IMAGE-${randomUUID().slice(0, 18).toUpperCase()}`;
        await sendToInventory(kafkaBrokers, [upserted({ ...ORDER, poNumber })]);
        return poNumber;
      },
      close: async () => {
        await provider.stop();
        await processes.stop();
      },
    };
  } catch (error) {
    processes.kill();
    await provider.stop();
    throw error;
  }
}

const ORDER = {
  sourceRevision: 1,
  poDate: '2026-01-05',
  xfd: '2027-03-01',
  currency: 'USD',
  vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' },
  lines: [{ lineId: '1', code: 'TS-100-NVY', style: 'TS-100', color: 'NVY', size: 'M', qty: 20, unitPrice: 12.5 }],
};
