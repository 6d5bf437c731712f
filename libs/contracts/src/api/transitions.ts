import { z } from 'zod';
import { TransitionRequest } from './commands.js';
import { Problem } from './problems.js';
import { distinctBy } from '../validation/distinct-by.js';
import { localizedMessage } from '../validation/localized-message.js';
import { canonicalPoRef, textOfAnyLength } from '../validation/text.js';

const MAX_ITEMS = 100;

const REPEATED = localizedMessage('DUPLICATE', 'must not repeat a poRef of this request', '同一请求中 poRef 不能重复');

const TransitionItem = z.strictObject({
  // An invalid PO number fails its item, as it would in a path.
  poRef: textOfAnyLength.transform((poRef) => canonicalPoRef(poRef) ?? poRef),
  ...TransitionRequest.shape,
  version: z
    .int()
    .min(0)
    .optional()
    .describe('The version that the order must have, like `If-Match` of a single request.'),
});
export type TransitionItem = z.infer<typeof TransitionItem>;

/** Transitions of several orders, each handled like a single request. */
export const TransitionsRequest = z.strictObject({
  items: z.array(TransitionItem).min(1).max(MAX_ITEMS).superRefine(distinctBy('poRef', REPEATED)),
});
export type TransitionsRequest = z.infer<typeof TransitionsRequest>;

/** Sent before the transitions of a batch, each of which is a command of its own: binds the idempotency key to the whole body. */
export const BeginTransitions = z.object({ request: TransitionsRequest });
export type BeginTransitions = z.infer<typeof BeginTransitions>;

export const TransitionsBegun = z.object({ success: z.literal(true) });
export type TransitionsBegun = z.infer<typeof TransitionsBegun>;

const TransitionOutcome = z.object({
  poRef: z.string(),
  status: z.int().describe('HTTP status that a single request would have had.'),
  success: z.boolean(),
  newStatusId: z.int().nullable(),
  newStatus: z.string().nullable(),
  newStatusZh: z.string().nullable(),
  version: z.int().nullable(),
  historyId: z.string().nullable(),
  autoApproved: z.boolean().nullable(),
  problem: Problem.nullable().describe('Why the transition failed; null if it succeeded.'),
});
export type TransitionOutcome = z.infer<typeof TransitionOutcome>;

export const TransitionsResult = z
  .object({ results: z.array(TransitionOutcome), succeeded: z.int(), failed: z.int() })
  .meta({ id: 'TransitionsResult', description: 'Result of each transition of a batch, in the order of the request.' });
export type TransitionsResult = z.infer<typeof TransitionsResult>;
