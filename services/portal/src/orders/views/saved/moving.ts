import { ApiProblem } from '@po/client';
import type { View, ViewRequest } from '../../../api/schemas.js';
import { readList } from '../../../storage/text-storage.js';
import { type OrdersSearch, readOrdersSearch } from '../../filters/search.js';
import { nameOf, queryTextsOf } from './edits.js';
import { viewed } from '../views.js';

/** Of the release that kept views in the browser. */
const MAX_LOCAL_NAME = 40;

/** A view that an older release kept in this browser. */
export interface LocalView {
  name: string;
  search: OrdersSearch;
}

/** Reads what was stored: what is no view is left out, and of those with one name the last one is meant. */
export function readLocalViews(stored: string | null): LocalView[] {
  const views = new Map<string, OrdersSearch>();
  for (const one of readList(stored) ?? []) {
    const { name, search } = (one ?? {}) as { name?: unknown; search?: unknown };
    const key = typeof name === 'string' ? nameOf(name, MAX_LOCAL_NAME) : '';
    if (key === '' || typeof search !== 'object' || search === null) continue;
    views.set(key, viewed(readOrdersSearch(search as Record<string, unknown>)));
  }
  return [...views].map(([name, search]) => ({ name, search }));
}

const isSame = (a: LocalView, b: LocalView): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Without this one, unless another tab changed it meanwhile. */
export const without = (views: readonly LocalView[], view: LocalView): LocalView[] =>
  views.filter((one) => !isSame(one, view));

const requestFor = ({ name, search }: LocalView): ViewRequest => ({
  name,
  query: queryTextsOf(search),
  columns: null,
  shared: false,
});

/** The same for the same view, in each tab and after an interruption: however often it is sent, it becomes one view. */
export function keyOf(view: LocalView): string {
  // FNV-1a, from two starting points: 64 bits, without a browser function that pages without TLS lack.
  const hash = (start: number) =>
    Array.from(JSON.stringify(view)).reduce(
      (sum, char) => Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0,
      start,
    );
  return `local-view-${[0x811c9dc5, 0x050c5d1f].map((start) => hash(start).toString(16).padStart(8, '0')).join('')}`;
}

export interface Moving {
  /** Those that are still to be moved, as of now. */
  left: () => readonly LocalView[];
  create: (request: ViewRequest, key: string) => Promise<View>;
  /** It is stored; from now on it is no longer kept in the browser. */
  done: (view: LocalView, stored: View) => void;
}

/** Refusals that say something of one view alone. */
const OF_ONE = [400, 422];
export const isFull = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'TOO_MANY_VIEWS';

/** Moves one after another, in their order. Resolves with the first error; null where none is left. */
export async function moveViews({ left, create, done }: Moving): Promise<unknown> {
  const refused: { view: LocalView; error: unknown }[] = [];
  for (;;) {
    const view = left().find((one) => refused.every((other) => !isSame(other.view, one)));
    if (!view) return refused[0]?.error ?? null;
    try {
      // oxlint-disable-next-line eslint/no-await-in-loop -- their order is kept
      done(view, await create(requestFor(view), keyOf(view)));
    } catch (error) {
      if (isFull(error) || !(error instanceof ApiProblem) || !OF_ONE.includes(error.status)) return error;
      refused.push({ view, error });
    }
  }
}
