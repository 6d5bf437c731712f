import { eventually } from '@po/testing/eventually';
import type { Answer, Call, Problem } from './http.js';
import { type Operation, type Outcome, outcomeOf } from './operation-log.js';
import type { Random } from './random.js';
import type { UserName } from './users.js';
import type { World } from './world.js';

/** One request with one operation, or a batch with one operation for each item. */
interface Request {
  operations: readonly Operation[];
  user: UserName;
  call: Call;
}

/** Sends operations over HTTP and retries those with an unknown outcome under the same idempotency key. */
export class Attempts {
  private readonly unsettled: Request[] = [];

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly gateway: () => number,
  ) {}

  /**
   * Makes the first attempt and, for some operations, an immediate second one. Takes the status of the orders from the answer. Returns the
   * outcome; for several operations the worst one.
   */
  async first(operations: Operation | readonly Operation[], user: UserName, call: Call): Promise<Outcome> {
    const request = { operations: [operations].flat(), user, call };
    const outcome = await this.try(request);
    const key = call.headers?.['idempotency-key'];
    // Simulates a double click: the second answer must repeat the first.
    if (outcome.kind === 'acknowledged' && key !== undefined && this.random.chance(0.2)) await this.try(request);
    if (outcome.kind !== 'unknown' || outcome.key === null || this.random.chance(0.25)) return outcome;
    const again = { ...request, call: { ...call, headers: { ...call.headers, 'idempotency-key': outcome.key } } };
    if (this.random.chance(0.5)) this.unsettled.push(again);
    // Retries immediately, while the first attempt may still be in progress.
    else if ((await this.try(again)).kind === 'unknown') this.unsettled.push(again);
    return outcome;
  }

  /** Retries operations with an unknown outcome until the outcome is known. Call it after the fault. */
  async settle(): Promise<void> {
    for (const request of this.unsettled.splice(0)) {
      const marks = request.operations.map(({ mark }) => mark);
      await eventually(`the outcome of operation ${marks.join(', ')} is known`, async () => {
        const outcome = await this.try(request);
        return outcome.kind !== 'unknown' && !isTemporary(outcome);
      });
    }
  }

  private async try({ operations, user, call }: Request): Promise<Outcome> {
    const answer = await this.world.call(this.gateway(), user, call);
    const outcomes = operations.map((operation, index) => {
      const own = answerFor(operation, index, answer);
      const outcome = outcomeOf(own, call.headers?.['idempotency-key'] ?? null);
      operation.attempts.push(outcome);
      const order = this.world.orders.get(operation.target);
      if (order && !(own instanceof Error)) {
        const { newStatusId, currentStatusId } = own.body as Problem & { newStatusId?: number };
        order.statusId = newStatusId ?? currentStatusId ?? order.statusId;
        if (outcome.kind === 'acknowledged' && outcome.version !== null) order.version = outcome.version;
      }
      return outcome;
    });
    const [worst] = outcomes.toSorted((a, b) => severityOf(b) - severityOf(a));
    return worst as Outcome;
  }
}

interface Item {
  status: number;
  historyId: string | null;
  problem: Problem | null;
}

/** The answer to one operation: the whole answer, or its item in the answer to a batch. */
function answerFor({ attempts }: Operation, index: number, answer: Answer | Error): Answer | Error {
  const item = answer instanceof Error ? undefined : (answer.body as { results?: Item[] }).results?.[index];
  if (!item) return answer;
  const { status, historyId, problem } = item;
  // The answer to a batch does not mark replayed items. An item with an earlier history id is a replay.
  const isRepeat = attempts.some((earlier) => earlier.kind === 'acknowledged' && earlier.historyId === historyId);
  return { status, headers: new Headers(isRepeat ? { 'idempotency-replayed': 'true' } : {}), body: problem ?? item };
}

/** Temporary refusals: a later retry gets another answer. */
const isTemporary = (outcome: Outcome): boolean =>
  outcome.kind === 'refused' && (outcome.status === 503 || outcome.code === 'IDEMPOTENCY_IN_PROGRESS');

const severityOf = (outcome: Outcome): number =>
  outcome.kind === 'unknown' ? 3 : isTemporary(outcome) ? 2 : outcome.kind === 'refused' ? 1 : 0;
