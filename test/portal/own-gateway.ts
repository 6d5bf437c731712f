import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logsIn } from '../../deploy/local/logs/log-files.js';
import { HOST, reservePorts } from '../../deploy/local/processes/ports.js';
import type { Process } from '../../deploy/local/processes/process.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { type RunningIdentityProvider, startIdentityProvider } from '../../deploy/local/stack/identity-provider.js';
import { loadKeys } from '../../deploy/local/stack/keys.js';
import { type ServiceSettings, portalEnvironment, startService } from '../../deploy/local/stack/services.js';
import { portalClient } from '../../deploy/local/stack/sign-in/portal-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack, stackFolder } from '../support/stack.js';

/** Maximum time of a start on a busy machine. */
const READY_MS = 30_000;

/** An additional gateway with the portal on the stores and services of the stack, for a test that must not affect others. */
export interface OwnGateway {
  /** The root URL, without `/api`. */
  url: string;
  /** The process, which is restarted when it dies. */
  process: Process;
  /** Resolves when the gateway is ready, for example after a restart of its process. */
  isReady: () => Promise<void>;
  stop: () => Promise<void>;
}

/** The provider whose tokens a gateway accepts and where its portal signs in. */
export interface Provider extends RunningIdentityProvider {
  issuer: string;
  audience: string;
}

/**
 * `settings`: environment variables that override those of every gateway. `provide` starts the identity provider for pages of the given
 * origin. Resolves when the gateway is ready.
 */
export async function startOwnGateway(
  settings: Record<string, string> = {},
  provide: (origin: string) => Promise<Provider> = demoProvider,
): Promise<OwnGateway> {
  const dir = await mkdtemp(join(tmpdir(), 'po-gateway-'));
  const { kafkaBrokers, redisUrl } = readStack();
  const [ports, keys] = await Promise.all([reservePorts(dir, ['http', 'management']), loadKeys(stackFolder())]);
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
      // A gateway has no database and sends no mail.
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
  const isReady = async () => void (await eventually('the gateway is ready', answers, { timeoutMs: READY_MS }));
  await isReady().catch((error: unknown) => stop().then(() => Promise.reject(error)));
  return { url: root, process, isReady, stop };
}

/** A provider that signs users in to these pages only, with the key, issuer and audience of the stack's provider. */
async function demoProvider(origin: string): Promise<Provider> {
  const { issuer, audience, jwksUrl } = readStack();
  const { identity: key } = await loadKeys(stackFolder());
  const identity = { key, issuer, audience };
  const provider = await startIdentityProvider({ identity, client: portalClient([origin]), port: 0 });
  return { ...provider, issuer, audience, jwksUrl };
}
