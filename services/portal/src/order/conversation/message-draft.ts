import type { MessageRequest } from '../../api/conversation.js';
import type { MessageRow, Visibility } from '../../api/schemas.js';
import { CHOSEN } from '../../storage/text-storage.js';
import { type Mentioned, mentionedIn } from './mentions.js';

/** As the API takes them. */
const MAX_LENGTH = 4000;
export const MAX_ROWS = 50;
const MAX_MENTIONS = 20;

export interface MessageDraft {
  body: string;
  visibility: Visibility;
  rows: readonly MessageRow[];
  mentions: readonly Mentioned[];
  /** It was sent under this key, and no answer came: sent again as it is, it is the same message. */
  attempt: { key: string; sent: string } | null;
}

export const EMPTY: MessageDraft = { body: '', visibility: 'all', rows: [], mentions: [], attempt: null };

/** Nothing is written, and what will be is internal. */
const INTERNAL = `${CHOSEN}internal`;

/** As a browser keeps it; empty where nothing is written, nor chosen for what will be. */
export function written(draft: MessageDraft): string {
  if (draft.body !== '' || draft.rows.length > 0) return JSON.stringify(draft);
  return draft.visibility === 'all' ? '' : INTERNAL;
}

/** What a browser keeps; nothing of what is not that, such as what another version of the portal wrote. */
export function readDraft(text: string): MessageDraft {
  if (text === INTERNAL) return { ...EMPTY, visibility: 'internal' };
  try {
    const { body, visibility, rows, mentions, attempt } = JSON.parse(text) as Record<string, unknown>;
    if (typeof body !== 'string') return EMPTY;
    return {
      body,
      // What may have been internal is not shown to the vendor by mistake.
      visibility: visibility === 'all' ? 'all' : 'internal',
      rows: listOf<MessageRow>(rows, ['rowHash', 'code', 'style', 'color', 'size']),
      mentions: listOf<Mentioned>(mentions, ['userId']),
      attempt: isAttempt(attempt) ? attempt : null,
    };
  } catch {
    return EMPTY;
  }
}

/** Objects that have these texts. */
const listOf = <T>(value: unknown, names: readonly (keyof T & string)[]): T[] =>
  (Array.isArray(value) ? value : []).filter(
    (one: unknown): one is T => typeof one === 'object' && one !== null && names.every((name) => hasText(one, name)),
  );

const hasText = (one: object, name: string): boolean => typeof (one as Record<string, unknown>)[name] === 'string';

const isAttempt = (value: unknown): value is { key: string; sent: string } =>
  typeof value === 'object' && value !== null && hasText(value, 'key') && hasText(value, 'sent');

/** With further rows, each once. */
export function withRows(draft: MessageDraft, rows: readonly MessageRow[]): MessageDraft {
  const all = new Map([...draft.rows, ...rows].map((row) => [row.rowHash, row]));
  return { ...draft, rows: [...all.values()] };
}

/** What the API is sent. `isThere`: whether the order still has a row; one that it lost cannot be asked about. */
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

/** The draft as it is being sent: under the same key as before, if it is the same message. */
export function attempted(draft: MessageDraft, request: MessageRequest, newKey: () => string): MessageDraft {
  const sent = JSON.stringify(request);
  return draft.attempt?.sent === sent ? draft : { ...draft, attempt: { key: newKey(), sent } };
}

/**
 * The draft once `posted` is a message: empty, unless somebody went on to write, here or in another tab. Who wrote for their company alone
 * goes on so.
 */
export const afterPost = (draft: MessageDraft, posted: MessageDraft): MessageDraft =>
  draft.body === posted.body && draft.rows.length === posted.rows.length
    ? { ...EMPTY, visibility: draft.visibility }
    : { ...draft, attempt: null };

/** How many characters may still be written, as the API counts them. */
export const charactersLeft = ({ body }: MessageDraft): number => MAX_LENGTH - Array.from(body.trim()).length;

/** Those of the vendor whom an internal message names, and does not reach. */
export const notReached = ({ body, visibility, mentions }: MessageDraft): Mentioned[] =>
  visibility === 'internal' ? mentionedIn(body, mentions).filter(({ isVendor }) => isVendor) : [];
