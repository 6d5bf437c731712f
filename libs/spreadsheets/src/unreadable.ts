/** Why a file is not what it is said to be. */
export type Reason =
  | ('notXlsx' | 'locked' | 'damaged' | 'manyParts' | 'largePart' | 'manyTexts')
  | ('notCsv' | 'openQuote' | 'longRow' | 'wideRow');

/** Thrown by what reads files; who reads them tells it in words of their own. */
export class Unreadable extends Error {
  constructor(
    readonly reason: Reason,
    /** The row that is meant, where one is. */
    readonly row: number | null = null,
  ) {
    super(`the file cannot be read: ${reason}`);
  }
}
