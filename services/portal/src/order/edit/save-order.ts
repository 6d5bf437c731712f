import { ApiProblem } from '@po/client';
import { isOutdated } from '../../api/writes.js';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import type { Draft } from '../conflict/three-way-merge.js';
import { type Edits, type Slots, conflictsOf } from '../draft/draft.js';
import { type LinesPatch, patchesOf } from '../draft/patch.js';
import { type HeaderPatch, type Value, mergeHeader, patchOf, valuesOf } from '../fields/header-fields.js';
import { matrixOf } from '../lines/size-matrix.js';

/** Maximum attempts of a write that is retried after changes by others that do not conflict with it. */
const ATTEMPTS = 3;

/** What to save, and the versions that the user saw. */
export interface Unsaved {
  version: number;
  head: Draft<Value> | null;
  cells: { version: number; edits: Edits; slots: Slots } | null;
}

/** API requests for an order, and callbacks for their results. */
export interface Saver {
  updateOrder: (version: number, patch: HeaderPatch) => Promise<OrderDetail>;
  updateLines: (version: number, lines: LinesPatch['lines']) => Promise<OrderLines>;
  readOrder: () => Promise<OrderDetail>;
  readLines: () => Promise<OrderLines>;
  /** The header was saved. `before`: the version it was saved on. The save raised it by one and changed no line. */
  onOrderSaved: (saved: OrderDetail, before: number) => void;
  /** Lines were saved. `sent`: the edits that this request saved. */
  onLinesSaved: (saved: OrderLines, sent: Edits) => void;
  /** The API refused these cells. */
  onCellsRefused: (patch: LinesPatch, error: ApiProblem) => void;
}

/**
 * Saves the header, then the lines with the version that results. Changes by others are not overwritten: a request with an old version is
 * refused, and retried only if those changes do not conflict. Resolves with the order's version.
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
    api.onOrderSaved(saved, before);
    present = saved.version;
  }
  if (!cells) return present;
  // Lines read at another version than the header keep that version: the API refuses it, and they are compared again.
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
        // Others may have removed the first row of a line item, to which its price is sent.
        last = patchesOf(left, slots)[0] ?? patch;
        return api.updateLines(on, last.lines);
      },
      async () => {
        const now = await api.readLines();
        ({ slots } = matrixOf(now.data));
        return conflictsOf(left, slots).length === 0 ? now.version : null;
      },
    ).catch((error: unknown) => {
      if (error instanceof ApiProblem) api.onCellsRefused(last, error);
      throw error;
    });
    const keys = new Set(last.cells.flatMap(({ price, quantity }) => [price, quantity]));
    const sent = new Map([...left].filter(([key]) => keys.has(key)));
    left = new Map([...left].filter(([key]) => !sent.has(key)));
    ({ slots } = matrixOf(saved.data));
    present = saved.version;
    api.onLinesSaved(saved, sent);
  }
}

/** Writes with a version. If it is outdated, retries with the one that `look` finds; null from `look` means a conflict. */
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
