import { type CommandContext, type Outcome, decide } from './commands.js';
import type { Order } from './order.js';
import { type PolicyInForce, type Submission, commentOf, isWithin } from './tolerances.js';

type Approval<O extends Order> = Exclude<Outcome<O>, { refused: unknown }> & { now: Date };

/**
 * Approves a newly submitted order as a buyer would; null if the policy does not allow it. Dated one millisecond after the submission, so
 * that sorting by time keeps their order.
 */
export function approveAutomatically<O extends Order>(
  submitted: O,
  submission: Submission | undefined,
  policy: PolicyInForce | null,
  context: CommandContext,
): Approval<O> | null {
  if (!submission || !policy?.policy.enabled || !isWithin(submission, policy.policy)) return null;
  const now = new Date(context.now.getTime() + 1);
  const outcome = decide(
    submitted,
    { type: 'transition', action: 'APPROVE', comment: commentOf(policy) },
    { ...context, role: 'BUYER', staleness: null, now },
  );
  return 'refused' in outcome ? null : { ...outcome, now };
}
