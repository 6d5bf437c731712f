import type { LoadResult } from './closed-loop.js';
import type { EventLatencies } from './event-latency.js';
import type { MixTarget } from '../soak/mix.js';
import type { StreamLatencies } from '../streams/stream-latency.js';
import type { StreamTokens } from '../streams/users.js';
import type { MixedResult } from '../soak/mixed-load.js';

/** What the load process needs to know of the stack, once. */
export interface LoadTarget {
  kafkaBrokers: string;
  /** Of the notifications database, as a role that sees all rows. */
  notificationsUrl: string;
  redisUrl: string;
  tokens: { buyer: string; vendor: string };
}

/** What is asked for: one order, the first page of the list, or an order's move to another status. */
export type LoadKind = 'get' | 'list' | 'transition';

export type LoadCommand =
  | { command: 'target'; target: LoadTarget }
  | { command: 'load'; kind: LoadKind; urls: readonly string[]; connections: number; seconds: number }
  | { command: 'events'; url: string; perSecond: number; seconds: number }
  | { command: 'open-streams'; url: string; tokens: StreamTokens }
  | { command: 'stream-latency'; url: string; perSecond: number; seconds: number }
  | { command: 'mix'; url: string; perSecond: number; seconds: number; target: MixTarget };

export interface LoadAnswers {
  target: null;
  load: LoadResult;
  events: EventLatencies;
  'open-streams': null;
  'stream-latency': StreamLatencies;
  mix: MixedResult;
}
