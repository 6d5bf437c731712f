import { useQuery } from '@tanstack/react-query';
import { useEffectEvent, useLayoutEffect } from 'react';
import { useApi, useMe } from '../../api/api.js';
import { automaticApprovalOf } from '../../approvals/automatic-approval.js';
import { useApprovalWords } from '../../approvals/approved-by.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import type { ChangedField } from '../conflict/compare.js';
import { ConflictNotice } from '../conflict/conflict-notice.js';
import { CONFLICT } from '../conflict/texts.js';
import { shownDate } from '../fields/dates.js';
import { type Value, WATCHED } from '../fields/header-fields.js';
import type { HeaderEdit } from '../fields/use-header-edit.js';
import { type SlotKey, type SlotKind, cellName } from '../lines/size-matrix.js';
import { useCells } from './cells.js';

/** Tolerance for comparing the time of a history entry with that of its change: the clocks of two services differ. */
const SAME_MS = 1000;

/** One notice of changes by others to the header and the lines of an order with unsaved edits. */
export function ChangesByOthers({ head }: { head: HeaderEdit }) {
  const { order, merge } = head;
  const { conflicts, settle, draft, editable } = useCells();
  const { queries } = useApi();
  const texts = useTexts(CONFLICT);
  const { policyName } = useApprovalWords();
  const { data: history } = useQuery(queries.history(order.poRef));
  const me = useMe();
  const inHead = useHeaderChanges(head);
  const inCells = useCellChanges();
  const last = history?.[0];
  const approval = last && automaticApprovalOf(last);
  const approver = approval && policyName(approval.policy);
  const isLocked = head.locked.length > 0 || (draft.edits.size > 0 && !editable);
  const isLatestChange = last !== undefined && Date.parse(last.occurredAt) >= Date.parse(order.updatedAt) - SAME_MS;
  const isOnlyStatus = merge.changes.length > 0 && merge.changes.every(({ field }) => field === 'statusId');
  const isOwn = isOnlyStatus && conflicts.size === 0 && isLatestChange && last.actorId === me?.userId;
  const onOwn = useEffectEvent(() => isOwn && head.settle(() => false));
  // Otherwise the user's transition would be reported with the next change.
  useLayoutEffect(() => void onOwn(), [isOwn]);
  // Changes to cells without unsaved values are marked in the matrix instead.
  if (isOwn || (merge.changes.length === 0 && conflicts.size === 0)) return null;
  return (
    <ConflictNotice
      who={
        isLatestChange ? (approver ?? last.actorName ?? last.actorId ?? texts.inventory) : texts.someoneAt(order.vendor)
      }
      at={order.updatedAt}
      locks={isLocked && merge.changes.some(({ field }) => field === 'statusId')}
      fields={[...inHead, ...inCells]}
      settle={(takes) => {
        head.settle(takes);
        settle(takes);
      }}
    />
  );
}

/** Fields that both sides changed, then fields that only others changed. */
function useHeaderChanges({ merge }: HeaderEdit): ChangedField[] {
  const { queries } = useApi();
  const terms = useTexts(TERMS);
  const { localized } = useLanguage();
  const { date } = useFormats();
  const { data: filters } = useQuery(queries.filters());
  const nameOf = (field: string) => {
    const watched = WATCHED.get(field);
    return watched ? terms[watched.term] : field;
  };
  const shown = (field: string, value: Value | undefined) => {
    if (value === null || value === undefined) return null;
    if (WATCHED.get(field)?.isDate) return shownDate(value, date);
    if (field !== 'statusId') return value;
    const status = filters?.statusDetails.find(({ statusId }) => String(statusId) === value);
    return localized(status?.status, status?.statusZh) ?? value;
  };
  const { conflicts, changes } = merge;
  const changed = (field: string, before: Value | undefined, theirs: Value | undefined) => ({
    field,
    name: nameOf(field),
    before: shown(field, before),
    theirs: shown(field, theirs),
  });
  const both = conflicts.map(({ field, base, theirs, mine }) => ({
    ...changed(field, base, theirs),
    mine: shown(field, mine),
  }));
  const conflictFields = new Set(conflicts.map((conflict) => conflict.of));
  const apart = changes.filter(({ field }) => !conflictFields.has(field));
  return [...both, ...apart.map(({ field, from, to }) => changed(field, from, to))];
}

/** Cells that both sides changed, then cells that only others changed. */
function useCellChanges(): ChangedField[] {
  const { conflicts, changes, draft, slotOf } = useCells();
  const texts = useTexts(CONFLICT);
  const terms = useTexts(TERMS);
  const { quantity, price } = useFormats();
  const nameOf = (key: SlotKey) => {
    const slot = slotOf(key);
    return slot ? cellName(slot, terms.unitPrice) : texts.goneCell;
  };
  const shown = (kind: SlotKind | undefined, value: number | null) =>
    value === null ? null : kind === 'price' ? price(value) : quantity(value);
  const both = [...conflicts.values()].map(({ key, before, mine, theirs }): ChangedField => {
    const slot = slotOf(key);
    const typed = mine ?? slot?.original ?? null;
    return {
      field: key,
      name: nameOf(key),
      isCell: true,
      isGone: theirs === null,
      before: shown(slot?.kind, before),
      theirs: shown(slot?.kind, theirs),
      mine: typeof typed === 'string' ? typed : shown(slot?.kind, typed),
    };
  });
  const untouched = changes.filter(({ key }) => !draft.edits.has(key));
  const apart = untouched.map(({ key, slot, before, now }): ChangedField => {
    const cell = { field: key, name: nameOf(key), isCell: true };
    return { ...cell, before: shown(slot.kind, before), theirs: shown(slot.kind, now) };
  });
  return [...both, ...apart];
}
