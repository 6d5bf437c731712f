import { isWithin } from '../../../services/purchase-orders/src/domain/tolerances.js';
import { POLICIES } from '../policies.js';
import { type Evidence, type StoredEntry, type Violation } from './evidence.js';

const isAutomatic = ({ action, actorRole }: StoredEntry): boolean => action === 'APPROVE' && actorRole === 'SYSTEM';

/** Ids of the submissions that a policy approved immediately. `history` must be sorted by order and sequence. */
export function automaticallyApproved(history: readonly StoredEntry[]): Set<string> {
  return new Set(
    history.flatMap(({ id, action, poNumber }, index) => {
      const next = history[index + 1];
      return action === 'SUBMIT' && next?.poNumber === poNumber && isAutomatic(next) ? [id] : [];
    }),
  );
}

/** Checks that policies approved exactly the submissions within their limits, in the next version, and that the answers said so. */
export function checkApprovals({ history, operations }: Evidence): Violation[] {
  const approved = automaticallyApproved(history);
  const attempts = new Map(operations.map((operation) => [operation.mark, operation.attempts]));
  return [...Map.groupBy(history, ({ poNumber }) => poNumber).values()].flatMap((path) =>
    path.flatMap((entry, index) => {
      const named = `order ${entry.poNumber}, history entry ${entry.id}`;
      const before = path[index - 1];
      const follows = before?.action === 'SUBMIT' && before.version === entry.version - 1;
      if (isAutomatic(entry) && !follows) return [`${named}: an automatic approval without a submission before it`];
      if (entry.action !== 'SUBMIT') return [];
      const policy = POLICIES[entry.vendorCode];
      const isDue = policy !== undefined && entry.submission !== null && isWithin(entry.submission, policy);
      const isApproved = approved.has(entry.id);
      const isMisreported = (attempts.get(entry.comment ?? '') ?? []).some(
        (outcome) => outcome.kind === 'acknowledged' && (outcome.autoApproved ?? false) !== isApproved,
      );
      return [
        ...(isApproved && !isDue ? [`${named}: approved, though it is not within its policy`] : []),
        ...(isDue && !isApproved ? [`${named}: not approved, though it is within its policy`] : []),
        ...(isMisreported ? [`${named}: the answer misreports whether it was approved`] : []),
      ];
    }),
  );
}
