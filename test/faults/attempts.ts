import { eventually } from '../support/eventually.js';
import type { Call, Problem } from './http.js';
import { type Operation, type Outcome, outcomeOf } from './operation-log.js';
import type { Random } from './random.js';
import type { UserName } from './users.js';
import type { World } from './world.js';

/** Tries operations over HTTP, and tries those of unknown outcome again under the key that tells it. */
export class Attempts {
  private readonly unsettled: { operation: Operation; user: UserName; call: Call }[] = [];

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly gateway: () => number,
  ) {}

  /** The first try, and for some a second at once. Learns from the answer which status the order is in. */
  async first(operation: Operation, user: UserName, call: Call): Promise<Outcome> {
    const outcome = await this.try(operation, user, call);
    const key = call.headers?.['idempotency-key'];
    // Somebody clicks twice: the answer must be the first one.
    if (outcome.kind === 'acknowledged' && key !== undefined && this.random.chance(0.2))
      await this.try(operation, user, call);
    if (outcome.kind !== 'unknown' || outcome.key === null || this.random.chance(0.25)) return outcome;
    const again = { ...call, headers: { ...call.headers, 'idempotency-key': outcome.key } };
    if (this.random.chance(0.5)) this.unsettled.push({ operation, user, call: again });
    // At once, while the first try may still be under way.
    else if ((await this.try(operation, user, again)).kind === 'unknown')
      this.unsettled.push({ operation, user, call: again });
    return outcome;
  }

  /** Asks for everything that is still unknown until it is known; call it when the fault is over. */
  async settle(): Promise<void> {
    for (const { operation, user, call } of this.unsettled.splice(0)) {
      await eventually(
        `the outcome of operation ${operation.mark} is known`,
        async () => {
          const outcome = await this.try(operation, user, call);
          return outcome.kind === 'acknowledged' || (outcome.kind === 'refused' && !isPassing(outcome));
        },
        { timeoutMs: 30_000 },
      );
    }
  }

  private async try(operation: Operation, user: UserName, call: Call): Promise<Outcome> {
    const answer = await this.world.call(this.gateway(), user, call);
    const outcome = outcomeOf(answer, call.headers?.['idempotency-key'] ?? null);
    operation.attempts.push(outcome);
    const order = this.world.orders.get(operation.target);
    if (order && !(answer instanceof Error)) {
      const { newStatusId, currentStatusId } = answer.body as Problem & { newStatusId?: number };
      order.statusId = newStatusId ?? currentStatusId ?? order.statusId;
      if (outcome.kind === 'acknowledged' && outcome.version !== null) order.version = outcome.version;
    }
    return outcome;
  }
}

/** Refusals that say "not now": asked again, they become something else. */
const isPassing = ({ status, code }: { status: number; code: string }): boolean =>
  status === 503 || code === 'IDEMPOTENCY_IN_PROGRESS';
