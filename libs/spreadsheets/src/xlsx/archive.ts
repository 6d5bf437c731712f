/** What a workbook that people made has never come near to. */
export const MAX_PARTS = 2_000;

/** The parts of a workbook, by their names. */
export interface Archive {
  has: (name: string) => boolean;
  /** Unpacks a part as it is taken: who has enough of a large one need not take the rest. Throws for what is not there or damaged. */
  read: (name: string) => AsyncIterable<Uint8Array>;
}
