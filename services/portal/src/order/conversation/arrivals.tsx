import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { Message } from '../../api/schemas.js';
import { useTexts } from '../../language/language.js';
import { CONVERSATION } from './texts.js';

const MAX_READ_ALOUD = 200;

/** Reads aloud what others write while the page is open. */
export function Arrivals({ messages, me }: { messages: readonly Message[]; me: string }) {
  const texts = useTexts(CONVERSATION);
  const [newest] = messages;
  const [known, setKnown] = useState({ id: newest?.id ?? '', arrived: null as Message | null });
  // Ids are in the order in which messages were written.
  if (newest !== undefined && newest.id !== known.id) {
    const isNew = newest.id > known.id && newest.authorId !== me;
    setKnown({ id: newest.id, arrived: isNew ? newest : known.arrived });
  }
  const { arrived } = known;
  const text = arrived && Array.from(arrived.body).slice(0, MAX_READ_ALOUD).join('');
  return (
    <VisuallyHidden role="status" aria-atomic>
      {arrived && texts.arrived(arrived.authorName ?? arrived.authorId, text ?? '')}
    </VisuallyHidden>
  );
}
