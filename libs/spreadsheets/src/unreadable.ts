/** Why a file is not what it is said to be. */
export type Reason = 'notXlsx' | 'locked' | 'damaged' | 'manyParts' | 'largePart' | 'manyTexts';

/** Thrown by what reads files; who reads them tells it in words of their own. */
export class Unreadable extends Error {
  constructor(readonly reason: Reason) {
    super(`the file cannot be read: ${reason}`);
  }
}
