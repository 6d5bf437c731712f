import type { Scenario } from '../scenario.js';
import { CRASHES } from './crashes.js';
import { DELIVERIES } from './deliveries.js';
import { FAILOVER } from './failover.js';
import { IDENTITY } from './identity.js';
import { KILLS } from './kills.js';
import { MAIL } from './mail.js';
import { MEMORY } from './memory.js';
import { NETWORK } from './network.js';
import { OUTAGES } from './outages.js';
import { POISON } from './poison.js';
import { REPLICAS } from './replicas.js';
import { STREAMS } from './streams.js';

/** Every fault of this tier, in the order of a run. */
export const SCENARIOS: readonly Scenario[] = [
  ...KILLS,
  ...CRASHES,
  ...OUTAGES,
  ...IDENTITY,
  ...NETWORK,
  ...FAILOVER,
  ...POISON,
  ...DELIVERIES,
  ...REPLICAS,
  ...STREAMS,
  ...MAIL,
  ...MEMORY,
];
