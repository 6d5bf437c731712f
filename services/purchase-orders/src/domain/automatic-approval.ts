import { type CommandContext, type Decision, decide } from './commands.js';
import type { Order } from './order.js';
import { type PolicyInForce, type Deviation, commentOf, isWithin } from './tolerances.js';

/**
 * Approves a newly submitted order as a buyer would; null if the policy does not allow it. Dated one millisecond after the submission, so
 * that sorting by time keeps their order.
 */
export function approveAutomatically<O extends Order>(
  submitted: O,
  deviation: Deviation,
  policy: PolicyInForce,
  context: CommandContext,
): (Decision<O> & { now: Date }) | null {
  if (!policy.policy.enabled || !isWithin(deviation, policy.policy)) return null;
  const now = new Date(context.now.getTime() + 1);
  const approval = decide(
    submitted,
    { type: 'transition', action: 'APPROVE', comment: commentOf(policy) },
    { ...context, role: 'BUYER', staleness: null, now },
  );
  return { ...approval, now };
}
