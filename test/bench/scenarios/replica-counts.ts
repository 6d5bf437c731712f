import type { ReplicaCounts } from '../stack.js';

/**
 * Which numbers of replicas are measured, in order: as many gateways as order services, of each number, ascending; the first two
 * numbers also crosswise, which separates their effects; and the first once more, which shows the effect of time alone.
 */
export function replicaCountsOf(numbers: readonly number[]): ReplicaCounts[] {
  const [first = 1, second, ...others] = [...new Set(numbers)].toSorted((a, b) => a - b);
  const both = (count: number): ReplicaCounts => ({ gateways: count, orders: count });
  if (second === undefined) return [both(first)];
  const crosswise = [
    { gateways: first, orders: second },
    { gateways: second, orders: first },
  ];
  return [both(first), ...crosswise, both(second), ...others.map(both), both(first)];
}
