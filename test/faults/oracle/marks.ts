import type { PublishedState } from '../topics.js';
import { type Evidence } from './evidence.js';

/** The version of an order in which the mark of an operation first appears. */
export interface Mark {
  mark: string;
  poNumber: string;
  version: number;
}

/** One published state per version, sorted by version. */
export function statesByVersion(states: readonly PublishedState[]): PublishedState[] {
  return [...new Map(states.map((state) => [state.version, state])).values()].toSorted(
    (left, right) => left.version - right.version,
  );
}

/** All marks with the versions that introduced them. */
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
