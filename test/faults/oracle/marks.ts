import type { PublishedState } from '../topics.js';
import { type Evidence } from './evidence.js';

/** A version of an order at which an operation's mark came in. */
export interface Mark {
  mark: string;
  poNumber: string;
  version: number;
}

/** One state of each version that was published, by version. */
export function statesByVersion(states: readonly PublishedState[]): PublishedState[] {
  return [...new Map(states.map((state) => [state.version, state])).values()].toSorted(
    (left, right) => left.version - right.version,
  );
}

/** Where each mark appeared that the version before did not have. */
export function marksOf({ states }: Pick<Evidence, 'states'>): Mark[] {
  return [...Map.groupBy(states, ({ poNumber }) => poNumber)].flatMap(([poNumber, published]) => {
    let before: readonly string[] = [];
    return statesByVersion(published).flatMap(({ version, marks }) => {
      const fresh = marks.filter((mark) => !before.includes(mark));
      before = marks;
      return fresh.map((mark) => ({ mark, poNumber, version }));
    });
  });
}
