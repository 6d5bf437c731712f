import { useRole } from '../../api/api.js';
import type { MessageRow } from '../../api/schemas.js';
import { TEXTS, useStorageKey, useStoredText } from '../../storage/use-stored.js';
import { useMemo } from 'react';
import { type MessageDraft, readDraft, serializeDraft, withRows } from './message-draft.js';

/** Element id of the message field. */
export const COMPOSER_ID = 'message-body';

/** The user's message draft for an order, as stored in this browser, and a function that changes it. */
export function useMessageDraft(poRef: string): [MessageDraft, (change: (now: MessageDraft) => MessageDraft) => void] {
  const name = useStorageKey('order', poRef, 'message');
  const text = useStoredText(name);
  const draft = useMemo(() => readDraft(text), [text]);
  return [draft, (change) => TEXTS.set(name, serializeDraft(change(readDraft(TEXTS.get(name)))))];
}

export function useCanWrite(): boolean {
  const role = useRole();
  return role !== undefined && role !== 'VIEWER';
}

/** Returns a function that adds rows to the message draft and focuses its field; null if the user may not write messages. */
export function useAskAbout(poRef: string): ((rows: readonly MessageRow[]) => void) | null {
  const [, change] = useMessageDraft(poRef);
  if (!useCanWrite()) return null;
  return (rows) => {
    change((draft) => withRows(draft, rows));
    document.getElementById(COMPOSER_ID)?.focus();
  };
}
