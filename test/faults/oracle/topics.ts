import { TOPICS } from '@po/contracts';
import type { PublishedState } from '../topics.js';
import { type Evidence, type StoredEntry, type StoredOrder, type Violation } from './evidence.js';
import { marksOf, statesByVersion } from './marks.js';

/** Checks that the topics match the tables: nothing missing, nothing extra, in order, and the current state last. */
export function checkTopics(evidence: Evidence): Violation[] {
  const entries = Map.groupBy(evidence.history, ({ poNumber }) => poNumber);
  const transitions = Map.groupBy(evidence.transitions, ({ poNumber }) => poNumber);
  const states = Map.groupBy(evidence.states, ({ poNumber }) => poNumber);
  const marks = Map.groupBy(marksOf(evidence), ({ poNumber }) => poNumber);
  const known = new Set(evidence.orders.map(({ poNumber }) => poNumber));
  const unknown = [...new Set([...transitions.keys(), ...states.keys()])].filter((poNumber) => !known.has(poNumber));
  return [
    ...unknown.map((poNumber) => `order ${poNumber} was published; it does not exist`),
    ...evidence.orders.flatMap((order) => [
      ...checkPublished(
        order.poNumber,
        TOPICS.transitions,
        entries.get(order.poNumber),
        transitions.get(order.poNumber),
      ),
      ...checkStates(order, states.get(order.poNumber) ?? []),
      ...checkVersions(order, {
        history: entries.get(order.poNumber) ?? [],
        marked: (marks.get(order.poNumber) ?? []).map(({ version }) => version),
      }),
    ]),
  ];
}

/** Checks that a topic has exactly the stored records of an order, the first occurrences in the stored order. */
export function checkPublished(
  poNumber: string,
  topic: string,
  stored: readonly { id: string }[] = [],
  published: readonly { id: string }[] = [],
): Violation[] {
  const expected = stored.map(({ id }) => id);
  const found = [...new Set(published.map(({ id }) => id))];
  const missing = expected.filter((id) => !found.includes(id));
  const extra = found.filter((id) => !expected.includes(id));
  const violations = [
    ...missing.map((id) => `order ${poNumber}: ${id} is stored, but not on ${topic}`),
    ...extra.map((id) => `order ${poNumber}: ${id} is on ${topic}, but not stored`),
  ];
  if (violations.length > 0 || found.join() === expected.join()) return violations;
  return [`order ${poNumber}: first occurrences on ${topic} are ${found.join()}; stored are ${expected.join()}`];
}

function checkStates({ poNumber, version, statusId }: StoredOrder, published: PublishedState[]): Violation[] {
  const last = published.at(-1);
  const versions = statesByVersion(published).map((state) => state.version);
  const missing = Array.from({ length: version }, (_, index) => index + 1).filter((each) => !versions.includes(each));
  return [
    ...missing.map((each) => `order ${poNumber}: version ${each} of ${version} is not on po.state.v1`),
    ...(last && (last.version !== version || last.statusId !== statusId)
      ? [
          `order ${poNumber}: the last record on po.state.v1 is version ${last.version} in ${last.statusId}; the order is version ${version} in ${statusId}`,
        ]
      : []),
  ];
}

// A version without a history entry or a mark is an effect without an operation.
function checkVersions(
  { poNumber, version }: StoredOrder,
  found: { history: StoredEntry[]; marked: number[] },
): Violation[] {
  const explained = new Set([...found.history.map((entry) => entry.version), ...found.marked]);
  return Array.from({ length: version }, (_, index) => index + 1)
    .filter((each) => !explained.has(each))
    .map((each) => `order ${poNumber}: no operation explains version ${each}`);
}
