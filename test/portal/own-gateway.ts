import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logsIn } from '../../deploy/local/logs/log-files.js';
import { HOST, takePorts } from '../../deploy/local/processes/ports.js';
import type { Process } from '../../deploy/local/processes/process.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { startIdentityProvider } from '../../deploy/local/stack/identity-provider.js';
import { loadKeys } from '../../deploy/local/stack/keys.js';
import { type ServiceSettings, portalEnvironment, startService } from '../../deploy/local/stack/services.js';
import { portalClient } from '../../deploy/local/stack/sign-in/portal-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack, stackFolder } from '../support/stack.js';

/** Of a start on a machine that is busy. */
const READY_MS = 30_000;

/** A gateway with the portal, beside that of the stack: on its stores and services, for one test that others must not feel. */
export interface OwnGateway {
  /** Without `/api`. */
  url: string;
  /** Its process, which is started again when it dies. */
  process: Process;
  stop: () => Promise<void>;
}

/** `settings`: its environment variables, before those that every gateway has. Resolves when it answers. */
export async function startOwnGateway(settings: Record<string, string> = {}): Promise<OwnGateway> {
  const dir = await mkdtemp(join(tmpdir(), 'po-gateway-'));
  const { kafkaBrokers, redisUrl, issuer, audience, jwksUrl } = readStack();
  const [ports, keys] = await Promise.all([takePorts(dir, ['http', 'management']), loadKeys(stackFolder())]);
  const root = `http://${HOST}:${ports.http}`;
  // It lets people in to this gateway's pages alone; their tokens are as those of the stack's provider.
  const identity = { key: keys.identity, issuer, audience };
  const provider = await startIdentityProvider({ identity, client: portalClient([root]), port: 0 });
  const processes = new Processes(dir);
  const process = startService(
    processes,
    'gateway',
    {
      kafkaBrokers,
      redisUrl,
      jwksUrl,
      issuer,
      audience,
      keys,
      // A gateway has none, and sends no mail.
      databases: {} as ServiceSettings['databases'],
      smtpUrl: null,
      publicUrl: root,
      environment: portalEnvironment(provider.authority),
    },
    { ...ports, log: join(logsIn(stackFolder()), `gateway-${ports.http}.log`), environment: settings },
  );
  await eventually('it is ready', async () => (await fetch(`http://${HOST}:${ports.management}/readyz`)).ok, {
    timeoutMs: READY_MS,
  });
  return {
    url: root,
    process,
    stop: async () => {
      await processes.stop();
      await provider.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
