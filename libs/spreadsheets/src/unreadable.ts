/** Why a file cannot be read. */
export type Reason =
  | ('notXlsx' | 'locked' | 'damaged' | 'manyParts' | 'largePart' | 'manyTexts')
  | ('notCsv' | 'openQuote' | 'longRow' | 'wideRow');

/** Thrown by readers of files; callers turn the reason into their own message. */
export class Unreadable extends Error {
  constructor(
    readonly reason: Reason,
    /** The affected row; null if there is none. */
    readonly row: number | null = null,
  ) {
    super(`the file cannot be read: ${reason}`);
  }
}
