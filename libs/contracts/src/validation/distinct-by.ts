import type { z } from 'zod';
import type { localizedMessage } from './localized-message.js';

/** A refinement of a list: refuses each item that has the key of an earlier one. */
export const distinctBy =
  <K extends string>(key: K, { error: message, params }: ReturnType<typeof localizedMessage>) =>
  (list: readonly Record<K, string>[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    for (const [index, { [key]: value }] of list.entries()) {
      if (seen.has(value)) context.addIssue({ code: 'custom', path: [index, key], message, params });
      seen.add(value);
    }
  };
