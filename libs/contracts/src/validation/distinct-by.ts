import type { z } from 'zod';
import type { localizedMessage } from './localized-message.js';

type Repeated = ReturnType<typeof localizedMessage>;

/** Refinement of a list that rejects each repeated text, reported at this place within its item. */
export const distinct =
  ({ error: message, params }: Repeated, ...place: string[]) =>
  (list: readonly string[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    for (const [index, value] of list.entries()) {
      if (seen.has(value)) context.addIssue({ code: 'custom', path: [index, ...place], message, params });
      seen.add(value);
    }
  };

/** Refinement of a list that rejects each item with the key of an earlier one. */
export const distinctBy =
  <K extends string>(key: K, repeated: Repeated) =>
  (list: readonly Record<K, string>[], context: z.RefinementCtx): void =>
    distinct(repeated, key)(
      list.map((item) => item[key]),
      context,
    );
