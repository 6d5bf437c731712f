/** Maximum parts of a workbook, far more than in any real one. */
export const MAX_PARTS = 2_000;

/** Parts of a workbook by name. */
export interface Archive {
  has: (name: string) => boolean;
  /** Unpacks a part while it is consumed, so that a caller can stop early in a large part. Throws for a missing or damaged part. */
  read: (name: string) => AsyncIterable<Uint8Array>;
}
