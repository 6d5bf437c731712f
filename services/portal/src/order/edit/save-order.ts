import { ApiProblem } from '@po/client';
import { isOutdated } from '../../api/writes.js';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import type { Draft } from '../conflict/three-way-merge.js';
import { type Edits, type Slots, conflictsOf } from '../draft/draft.js';
import { type LinesPatch, patchesOf } from '../draft/patch.js';
import { type HeaderPatch, type Value, mergeHeader, patchOf, valuesOf } from '../fields/header-fields.js';
import { matrixOf } from '../lines/size-matrix.js';

/** How often a save that came after somebody else's is tried on what they made of the order, where nothing of it is in the way. */
const ATTEMPTS = 3;

/** What is to be saved, and the versions of what was looked at. */
export interface Unsaved {
  version: number;
  head: Draft<Value> | null;
  cells: { version: number; edits: Edits; slots: Slots } | null;
}

/** The order at the API, and who hears of what was saved. */
export interface Saver {
  updateOrder: (version: number, patch: HeaderPatch) => Promise<OrderDetail>;
  updateLines: (version: number, lines: LinesPatch['lines']) => Promise<OrderLines>;
  readOrder: () => Promise<OrderDetail>;
  readLines: () => Promise<OrderLines>;
  /** `before`: the version that the head was saved on. Saving the head raised it by one and changed no line. */
  tookOrder: (saved: OrderDetail, before: number) => void;
  /** `sent`: those of the edits that were saved. */
  tookLines: (saved: OrderLines, sent: Edits) => void;
  /** The API did not take these cells. */
  refused: (patch: LinesPatch, error: ApiProblem) => void;
}

/**
 * Saves what was typed: the head first, whose new version the lines are saved on. What others changed meanwhile is not overwritten: a
 * request on an old version is refused, and tried again only where nothing of theirs is in the way. Resolves with the order's version.
 */
export async function saveOrder({ version, head, cells }: Unsaved, api: Saver): Promise<number> {
  let present = version;
  let before = version;
  if (head) {
    const saved = await onNewest(
      version,
      (on) => {
        before = on;
        return api.updateOrder(on, patchOf(head.mine));
      },
      async () => {
        const now = await api.readOrder();
        return mergeHeader(head, valuesOf(now)).conflicts.length === 0 ? now.version : null;
      },
    );
    api.tookOrder(saved, before);
    present = saved.version;
  }
  if (!cells) return present;
  // Lines of another version than the head had are refused, and looked at again.
  return saveLines(cells, cells.version === before ? present : cells.version, api);
}

async function saveLines(cells: NonNullable<Unsaved['cells']>, version: number, api: Saver): Promise<number> {
  let { edits: left, slots } = cells;
  let present = version;
  for (;;) {
    const [patch] = patchesOf(left, slots);
    if (!patch) return present;
    let last = patch;
    const saved = await onNewest(
      present,
      (on) => {
        // Of others' rows the first may be gone that a price is sent to.
        last = patchesOf(left, slots)[0] ?? patch;
        return api.updateLines(on, last.lines);
      },
      async () => {
        const now = await api.readLines();
        ({ slots } = matrixOf(now.data));
        return conflictsOf(left, slots).length === 0 ? now.version : null;
      },
    ).catch((error: unknown) => {
      if (error instanceof ApiProblem) api.refused(last, error);
      throw error;
    });
    const keys = new Set(last.cells.flatMap(({ price, quantity }) => [price, quantity]));
    const sent = new Map([...left].filter(([key]) => keys.has(key)));
    left = new Map([...left].filter(([key]) => !sent.has(key)));
    ({ slots } = matrixOf(saved.data));
    present = saved.version;
    api.tookLines(saved, sent);
  }
}

/** Writes on a version, and where that is old on the one that `look` finds; `look` finds none where something is in the way. */
async function onNewest<T>(
  version: number,
  write: (version: number) => Promise<T>,
  look: () => Promise<number | null>,
): Promise<T> {
  let present = version;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write(present);
    } catch (error) {
      if (!isOutdated(error) || attempt === ATTEMPTS) throw error;
      const newest = await look();
      if (newest === null) throw error;
      present = newest;
    }
  }
}
