import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Violation } from '../oracle/evidence.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

/** Several times the refresh interval of a gateway's keys. */
const OUTAGE_MS = 12_000;

type Endpoint = (request: IncomingMessage, response: ServerResponse) => void;

// Requests do not depend on the provider while the cached keys are valid.
async function outage(world: World, answer: Endpoint): Promise<Violation[]> {
  const { provider } = world;
  const healthy = provider.answer;
  const before = provider.fetches;
  provider.answer = answer;
  try {
    await delay(OUTAGE_MS);
    const violations: Violation[] = [];
    if (provider.fetches === before)
      violations.push('no gateway fetched the keys during the outage, so the scenario proved nothing');
    for (const gateway of [0, 1]) {
      const me = await world.call(gateway, 'buyer', { method: 'GET', path: '/me' });
      const status = me instanceof Error ? me.message : me.status;
      if (status !== 200)
        violations.push(`GET /me at gateway ${gateway}: ${status} while the identity provider is away`);
    }
    return violations;
  } finally {
    provider.answer = healthy;
  }
}

const providerDown = (world: World) => outage(world, (request) => void request.socket.destroy());

export const IDENTITY: Scenario[] = [
  { name: 'identity provider down', fault: providerDown },
  { name: 'identity provider hanging', fault: (world) => outage(world, () => undefined) },
];
