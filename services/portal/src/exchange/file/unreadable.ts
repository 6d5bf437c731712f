/** Why a file cannot be read; each has a text. */
export type Fault =
  | 'wrongKind'
  | 'olderKind'
  | 'tooLarge'
  | 'empty'
  | 'several'
  | 'notCsv'
  | 'notXlsx'
  | 'locked'
  | 'damaged'
  | 'noRowIds';

/** Thrown by what reads files. */
export class UnreadableFile extends Error {
  constructor(readonly fault: Fault) {
    super(`the file cannot be read: ${fault}`);
  }
}
