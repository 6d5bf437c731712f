import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logsIn } from '../../deploy/local/logs/log-files.js';
import { HOST, takePorts } from '../../deploy/local/processes/ports.js';
import type { Process } from '../../deploy/local/processes/process.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { type RunningIdentityProvider, startIdentityProvider } from '../../deploy/local/stack/identity-provider.js';
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
  /** Resolves when it answers, as after its process was started again. */
  isReady: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Whose tokens a gateway takes, and where its portal signs in. */
export interface Provider extends RunningIdentityProvider {
  issuer: string;
  audience: string;
}

/**
 * `settings`: its environment variables, before those that every gateway has. `provide` starts its identity provider, for pages of the origin
 * that it is given. Resolves when the gateway answers.
 */
export async function startOwnGateway(
  settings: Record<string, string> = {},
  provide: (origin: string) => Promise<Provider> = demoProvider,
): Promise<OwnGateway> {
  const dir = await mkdtemp(join(tmpdir(), 'po-gateway-'));
  const { kafkaBrokers, redisUrl } = readStack();
  const [ports, keys] = await Promise.all([takePorts(dir, ['http', 'management']), loadKeys(stackFolder())]);
  const root = `http://${HOST}:${ports.http}`;
  const provider = await provide(root);
  const { jwksUrl, issuer, audience } = provider;
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
  const stop = async () => {
    await processes.stop();
    await provider.stop();
    await rm(dir, { recursive: true, force: true });
  };
  const answers = async () => (await fetch(`http://${HOST}:${ports.management}/readyz`)).ok;
  const isReady = async () => void (await eventually('it is ready', answers, { timeoutMs: READY_MS }));
  await isReady().catch((error: unknown) => stop().then(() => Promise.reject(error)));
  return { url: root, process, isReady, stop };
}

/** It lets people in to these pages alone; their tokens are as those of the stack's provider. */
async function demoProvider(origin: string): Promise<Provider> {
  const { issuer, audience, jwksUrl } = readStack();
  const { identity: key } = await loadKeys(stackFolder());
  const identity = { key, issuer, audience };
  const provider = await startIdentityProvider({ identity, client: portalClient([origin]), port: 0 });
  return { ...provider, issuer, audience, jwksUrl };
}
