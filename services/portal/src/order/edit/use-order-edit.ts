import { TEXTS } from '../../storage/use-stored.js';
import type { Draft } from '../conflict/three-way-merge.js';
import { type Edits, type Slots, conflictsOf } from '../draft/draft.js';
import type { DraftStore } from '../draft/draft-store.js';
import {
  type HeaderField,
  type Value,
  isUnread,
  mergeHeader,
  readDraft,
  serializeDraft,
  trimmed,
  valuesOf,
} from '../fields/header-fields.js';
import { type HeaderEdit, useHeaderName } from '../fields/use-header-edit.js';
import { blurField, useCells } from './cells.js';
import type { Saving } from './use-saving.js';

export interface Typing {
  head: HeaderEdit;
  store: DraftStore;
  saving: Saving;
}

/** Why the edits cannot be saved now. */
type Obstacle = 'conflict' | 'faulty' | 'loading';

export type OrderEdit = ReturnType<typeof useOrderEdit>;

/** All edits of an order: header and lines. */
export function useOrderEdit({ head, store, saving }: Typing) {
  const { order } = head;
  const cells = useCells();
  const name = useHeaderName(order.poRef);
  const { edits } = cells.draft;
  const faulty = { fields: head.faulty, cells: cells.editable ? cells.faulty : [] };
  const slots = cells.matrix?.slots;
  const save = async (): Promise<number | null> => {
    blurField();
    // Read from storage, to include the value that `blurField` has just committed.
    const kept = readDraft(TEXTS.get(name));
    const typed = kept && { ...kept, mine: trimmed(kept.mine) };
    const open = typed && openPart(typed, head.editable);
    const now = cells.editable ? store.get().edits : new Map();
    // A save is sent with the order's present version, so it would overwrite the other value of an unresolved conflict.
    const isHindered = typed !== null && mergeHeader(typed, valuesOf(order)).conflicts.length > 0;
    const isFaulty = [...(open?.mine ?? [])].some(([field, value]) => isUnread(field as HeaderField, value));
    if (isHindered || isFaulty || !areSavable(now, slots) || (open === null && now.size === 0)) return null;
    // Otherwise a save whose answer is lost would look like a change by somebody else.
    if (typed) TEXTS.set(name, serializeDraft(typed));
    return saving.run({
      version: order.version,
      head: open,
      cells: slots && now.size > 0 ? { version: cells.version, edits: now, slots } : null,
    });
  };
  const obstacle: Obstacle | null =
    cells.editable && edits.size > 0 && !slots
      ? 'loading'
      : head.merge.conflicts.length > 0 || cells.conflicts.size > 0
        ? 'conflict'
        : faulty.fields.length > 0 || faulty.cells.length > 0
          ? 'faulty'
          : null;
  return {
    /** Number of edited fields and cells, including those that may no longer be saved. */
    unsaved: head.draft.mine.size + edits.size,
    /** Number of those that may be saved. */
    savable: head.draft.mine.size - head.locked.length + (cells.editable ? edits.size : 0),
    obstacle,
    /** Entries to correct. */
    faulty,
    /** Saves header and lines. Resolves with the order's new version, or null if the save failed or was not possible. */
    save,
    discard: () => {
      saving.forget();
      head.discard();
      cells.discard();
    },
  };
}

/** The edits of fields that may be saved; null if there are none. */
function openPart(draft: Draft<Value>, editable: readonly HeaderField[]): Draft<Value> | null {
  const mine = new Map([...draft.mine].filter(([field]) => editable.includes(field as HeaderField)));
  return mine.size === 0 ? null : { ...draft, mine };
}

const areSavable = (edits: Edits, slots: Slots | undefined): boolean =>
  edits.size === 0 ||
  (slots !== undefined &&
    conflictsOf(edits, slots).length === 0 &&
    [...edits.values()].every(({ typed }) => typeof typed !== 'string'));
