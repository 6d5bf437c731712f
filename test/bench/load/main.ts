import { measureEvents } from './events.js';
import { type Rate, closedLoop } from './loops.js';
import { type MixTarget, mixedLoad } from './mix.js';
import { type LoadKind, type Requests, TransitionRequests, detailRequests, listRequests } from './requests.js';
import { type StreamTokens, WatchedStreams, measureStreams } from './streams.js';

/** What the load process needs to know of the stack. */
export interface LoadTarget {
  url: string;
  kafkaBrokers: string;
  /** Of the notifications database, as a role that sees all rows. */
  notificationsUrl: string;
  redisUrl: string;
  tokens: { buyer: string; vendor: string };
}

let target: LoadTarget | null = null;
let requests: Record<LoadKind, Requests> | null = null;
let streams: WatchedStreams | null = null;

function known<T>(value: T | null): T {
  if (value === null) throw new Error('the load process was not prepared for this command');
  return value;
}

const commands = {
  target(given: LoadTarget): void {
    target = given;
    const { buyer, vendor } = given.tokens;
    requests = { get: detailRequests(buyer), list: listRequests(buyer), transition: new TransitionRequests(vendor) };
  },
  load: ({ kind, ...load }: { kind: LoadKind; urls: readonly string[]; connections: number; seconds: number }) =>
    closedLoop(load, known(requests)[kind]),
  events: (rate: Rate) => measureEvents(known(target), rate, known(requests).transition),
  async openStreams(tokens: StreamTokens): Promise<void> {
    streams = await WatchedStreams.open(known(target).url, tokens);
  },
  streams: (rate: Rate) => measureStreams(known(target), rate, known(requests).transition, known(streams)),
  mix: ({ mix, ...rate }: Rate & { mix: MixTarget }) => mixedLoad(new URL(known(target).url), rate, mix),
};

export type Commands = typeof commands;

// A process of its own, so that its CPU time is measured apart and the benchmark's own work delays no request.
const run = async (name: keyof Commands, argument: never): Promise<unknown> => commands[name](argument);
process.on('message', ({ name, argument }: { name: keyof Commands; argument: never }) => {
  run(name, argument).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.once('disconnect', () => process.exit());
