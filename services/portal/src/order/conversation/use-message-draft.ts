import { useRole } from '../../api/use-me.js';
import type { MessageRow } from '../../api/schemas.js';
import { TEXTS, useStorageKey, useStoredText } from '../../storage/use-stored.js';
import { useMemo } from 'react';
import { type MessageDraft, readDraft, withRows, written } from './message-draft.js';

/** Of the field that a message is typed into. */
export const COMPOSER_ID = 'message-body';

/** What is being written about an order, as this browser keeps it, and what changes it. */
export function useMessageDraft(poRef: string): [MessageDraft, (change: (now: MessageDraft) => MessageDraft) => void] {
  const name = useStorageKey('order', poRef, 'message');
  const text = useStoredText(name);
  const draft = useMemo(() => readDraft(text), [text]);
  return [draft, (change) => TEXTS.set(name, written(change(readDraft(TEXTS.get(name)))))];
}

export function useMayWrite(): boolean {
  const role = useRole();
  return role !== undefined && role !== 'VIEWER';
}

/** Puts rows into the message that is being written, where one goes on; null for somebody who may not write. */
export function useAskAbout(poRef: string): ((rows: readonly MessageRow[]) => void) | null {
  const [, change] = useMessageDraft(poRef);
  if (!useMayWrite()) return null;
  return (rows) => {
    change((draft) => withRows(draft, rows));
    document.getElementById(COMPOSER_ID)?.focus();
  };
}
