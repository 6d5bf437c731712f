import { MAX_MENTIONS, MAX_MESSAGE } from '@po/contracts/constants';
import type { MessageRequest } from '../../api/conversation.js';
import type { MessageRow, Visibility } from '../../api/schemas.js';
import { CHOSEN } from '../../storage/text-storage.js';
import { type Mentioned, mentionedIn } from './mentions.js';

export interface MessageDraft {
  body: string;
  visibility: Visibility;
  rows: readonly MessageRow[];
  mentions: readonly Mentioned[];
  /** Idempotency key and body of a request without an answer: sent again unchanged, it creates no second message. */
  attempt: { key: string; sent: string } | null;
}

export const EMPTY: MessageDraft = { body: '', visibility: 'all', rows: [], mentions: [], attempt: null };

/** Stored form of a draft without text whose visibility is internal. */
const INTERNAL = `${CHOSEN}internal`;

/** The draft in its stored form; empty if nothing is typed and the visibility is the default. */
export function serializeDraft(draft: MessageDraft): string {
  if (draft.body !== '' || draft.rows.length > 0) return JSON.stringify(draft);
  return draft.visibility === 'all' ? '' : INTERNAL;
}

/** Reads a stored draft. Unreadable data, such as that of another portal version, gives an empty draft or is left out. */
export function readDraft(text: string): MessageDraft {
  if (text === INTERNAL) return { ...EMPTY, visibility: 'internal' };
  try {
    const { body, visibility, rows, mentions, attempt } = JSON.parse(text) as Record<string, unknown>;
    if (typeof body !== 'string') return EMPTY;
    return {
      body,
      // An unknown visibility counts as internal, so that the vendor never sees internal text by mistake.
      visibility: visibility === 'all' ? 'all' : 'internal',
      rows: listOf<MessageRow>(rows, ['rowHash', 'code', 'style', 'color', 'size']),
      mentions: listOf<Mentioned>(mentions, ['userId']).filter(({ name }) => name === null || typeof name === 'string'),
      attempt: isAttempt(attempt) ? attempt : null,
    };
  } catch {
    return EMPTY;
  }
}

/** The objects of a list that have a string under each of these names. */
const listOf = <T>(value: unknown, names: readonly (keyof T & string)[]): T[] =>
  (Array.isArray(value) ? value : []).filter(
    (one: unknown): one is T => typeof one === 'object' && one !== null && names.every((name) => hasText(one, name)),
  );

const hasText = (one: object, name: string): boolean => typeof (one as Record<string, unknown>)[name] === 'string';

const isAttempt = (value: unknown): value is { key: string; sent: string } =>
  typeof value === 'object' && value !== null && hasText(value, 'key') && hasText(value, 'sent');

/** Adds rows, each once. */
export function withRows(draft: MessageDraft, rows: readonly MessageRow[]): MessageDraft {
  const all = new Map([...draft.rows, ...rows].map((row) => [row.rowHash, row]));
  return { ...draft, rows: [...all.values()] };
}

/** The request body. `isThere`: whether the order still has a row; a message cannot refer to a removed row. */
export function requestOf(draft: MessageDraft, isThere: (rowHash: string) => boolean): MessageRequest {
  const isInternal = draft.visibility === 'internal';
  const mentioned = mentionedIn(draft.body, draft.mentions).filter(({ isVendor }) => !isInternal || !isVendor);
  return {
    body: draft.body.trim(),
    visibility: draft.visibility,
    rows: draft.rows.map(({ rowHash }) => rowHash).filter(isThere),
    mentions: mentioned.slice(0, MAX_MENTIONS).map(({ userId }) => userId),
  };
}

/** The draft with an idempotency key for this request: the previous one if the message is the same. */
export function withAttempt(draft: MessageDraft, request: MessageRequest, newKey: () => string): MessageDraft {
  const sent = JSON.stringify(request);
  return draft.attempt?.sent === sent ? draft : { ...draft, attempt: { key: newKey(), sent } };
}

/** The draft after `posted` was posted: empty, unless the user typed on, here or in another tab. Its visibility stays. */
export const afterPost = (draft: MessageDraft, posted: MessageDraft): MessageDraft =>
  draft.body === posted.body && JSON.stringify(draft.rows) === JSON.stringify(posted.rows)
    ? { ...EMPTY, visibility: draft.visibility }
    : { ...draft, attempt: null };

/** Number of characters that may still be typed, as the API counts them. */
export const charactersLeft = ({ body }: MessageDraft): number => MAX_MESSAGE - Array.from(body.trim()).length;

/** Vendor users whom an internal message names but does not reach. */
export const unreachedMentions = ({ body, visibility, mentions }: MessageDraft): Mentioned[] =>
  visibility === 'internal' ? mentionedIn(body, mentions).filter(({ isVendor }) => isVendor) : [];
