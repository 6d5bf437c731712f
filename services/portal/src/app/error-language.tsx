import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLanguage } from '../language/language.js';

/** Repeats failed reads when the language changes, because error messages are in the language of their request. */
export function ErrorLanguage() {
  const cache = useQueryClient();
  const { language } = useLanguage();
  useEffect(() => {
    void cache.resetQueries({ predicate: ({ state }) => state.status === 'error' && state.data === undefined });
    // Data stays in place, because a form below it may have unsaved input.
    void cache.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  }, [cache, language]);
  return null;
}
