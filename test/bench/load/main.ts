import { closedLoop } from './closed-loop.js';
import type { LoadAnswers, LoadCommand, LoadTarget } from './commands.js';
import { measureEvents } from './event-latency.js';
import { type Requests, TransitionRequests, detailRequests } from './requests.js';

// A process of its own, so that what it costs is seen, and so that the benchmark's own work delays no request.
let target: LoadTarget | null = null;
let requests: { get: Requests; transition: Requests } | null = null;

async function execute(command: LoadCommand): Promise<LoadAnswers[LoadCommand['command']]> {
  if (command.command === 'target') {
    target = command.target;
    requests = { get: detailRequests(target.tokens.buyer), transition: new TransitionRequests(target.tokens.vendor) };
    return null;
  }
  if (!target || !requests) throw new Error('the load process was not told its target');
  const { url, seconds } = command;
  if (command.command === 'load') return closedLoop(new URL(url), command.connections, seconds, requests[command.kind]);
  return measureEvents(target, new URL(url), command.perSecond, seconds, requests.transition);
}

process.on('message', ({ id, ...command }: LoadCommand & { id: number }) => {
  execute(command as LoadCommand).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.once('disconnect', () => process.exit());
