import { z } from 'zod';

/** All schemas inside a schema, including itself, however they are nested. */
export function schemasIn(schema: z.ZodType, found = new Set<z.ZodType>()): Set<z.ZodType> {
  if (found.has(schema)) return found;
  found.add(schema);
  const parts = Object.values(schema.def).flatMap((part: unknown) =>
    typeof part === 'object' && part !== null ? [part, ...Object.values(part)] : [],
  );
  for (const part of parts) if (part instanceof z.ZodType) schemasIn(part, found);
  return found;
}
