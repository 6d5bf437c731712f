import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { ConflictNotice } from '../conflict/conflict-notice.js';
import { CONFLICT } from '../conflict/texts.js';
import { HEADER_FIELDS, type HeaderField, type Value, WATCHED } from './header-fields.js';
import type { HeaderEdit } from './use-header-edit.js';

/** An act and the change that it made have the same time, but for what the clocks of two services differ by. */
const SAME_MS = 1000;
const DATES = new Set(['vendor_reply_xfd', 'originalXfd']);

/** What others did to the head of an order while one types there. */
export function HeaderConflict({ edit }: { edit: HeaderEdit }) {
  const { order, merge, settle } = edit;
  const { queries } = useApi();
  const texts = useTexts(CONFLICT);
  const terms = useTexts(TERMS);
  const { language } = useLanguage();
  const formats = useFormats();
  const { data: history } = useQuery(queries.history(order.poRef));
  const { data: filters } = useQuery(queries.filters());
  if (merge.changes.length === 0) return null;

  const last = history?.[0];
  const isAct = last !== undefined && Date.parse(last.occurredAt) >= Date.parse(order.updatedAt) - SAME_MS;
  const who = isAct ? (last.actorName ?? texts.inventory) : texts.someoneAt(order.vendor);
  const nameOf = (field: string) =>
    field in HEADER_FIELDS
      ? terms[HEADER_FIELDS[field as HeaderField].term]
      : terms[WATCHED[field as keyof typeof WATCHED]];
  const shown = (field: string, value: Value | undefined) => {
    if (value === null || value === undefined) return null;
    if (DATES.has(field)) return formats.date(value);
    if (field !== 'statusId') return value;
    const status = filters?.statusDetails.find(({ statusId }) => String(statusId) === value);
    return (language === 'zh' ? status?.statusZh : status?.status) ?? value;
  };
  const fields = merge.changes.map(({ field, from, to }) => {
    const conflict = merge.conflicts.find((one) => one.field === field);
    const both = { field, name: nameOf(field), before: shown(field, from), theirs: shown(field, to) };
    return conflict ? { ...both, mine: shown(field, conflict.mine) } : both;
  });
  return <ConflictNotice who={who} at={order.updatedAt} fields={fields} settle={settle} />;
}
