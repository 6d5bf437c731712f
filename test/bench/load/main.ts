import { closedLoop } from './closed-loop.js';
import type { LoadAnswers, LoadCommand, LoadKind, LoadTarget } from './commands.js';
import { measureEvents } from './event-latency.js';
import { mixedLoad } from '../soak/mixed-load.js';
import { measureStreams } from '../streams/stream-latency.js';
import { WatchedStreams } from '../streams/watched-streams.js';
import { type Requests, TransitionRequests, detailRequests, listRequests } from './requests.js';

// A process of its own, so that what it costs is seen, and so that the benchmark's own work delays no request.
let target: LoadTarget | null = null;
let requests: Record<LoadKind, Requests> | null = null;
let streams: WatchedStreams | null = null;

async function execute(command: LoadCommand): Promise<LoadAnswers[LoadCommand['command']]> {
  if (command.command === 'target') {
    target = command.target;
    const { buyer, vendor } = target.tokens;
    requests = { get: detailRequests(buyer), list: listRequests(buyer), transition: new TransitionRequests(vendor) };
    return null;
  }
  if (command.command === 'mix') {
    return mixedLoad(new URL(command.url), command.perSecond, command.seconds, command.target);
  }
  if (command.command === 'open-streams') {
    streams = await WatchedStreams.open(command.url, command.tokens);
    return null;
  }
  if (!target || !requests) throw new Error('the load process was not told its target');
  if (command.command === 'load') {
    return closedLoop(command.urls, command.connections, command.seconds, requests[command.kind]);
  }
  if (command.command === 'stream-latency') {
    if (!streams) throw new Error('the load process was not told to open streams');
    return measureStreams(new URL(command.url), command, requests.transition, target.tokens.vendor, streams);
  }
  return measureEvents(target, new URL(command.url), command.perSecond, command.seconds, requests.transition);
}

process.on('message', ({ id, ...command }: LoadCommand & { id: number }) => {
  execute(command as LoadCommand).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.once('disconnect', () => process.exit());
