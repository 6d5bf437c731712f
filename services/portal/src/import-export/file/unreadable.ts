import { type Reason, Unreadable } from '@po/spreadsheets';

/** Reasons why a file cannot be read; each has a text for the user. */
export type InputError =
  | 'wrongKind'
  | 'olderKind'
  | 'tooLarge'
  | 'empty'
  | 'several'
  | 'notCsv'
  | 'wideRow'
  | 'notXlsx'
  | 'locked'
  | 'damaged'
  | 'manyRows'
  | 'noRowIds';

export class UnreadableFile extends Error {
  constructor(readonly fault: InputError) {
    super(`the file cannot be read: ${fault}`);
  }
}

/** Errors that no common program produces are reported as damage. */
const INPUT_ERRORS: Readonly<Record<Reason, InputError>> = {
  notXlsx: 'notXlsx',
  locked: 'locked',
  damaged: 'damaged',
  manyParts: 'damaged',
  largePart: 'damaged',
  manyTexts: 'damaged',
  notCsv: 'notCsv',
  openQuote: 'notCsv',
  longRow: 'notCsv',
  wideRow: 'wideRow',
};

/** Reason why a file cannot be read; `otherwise` is for errors of third-party parsers. */
export function inputErrorOf(error: unknown, otherwise: InputError): InputError {
  if (error instanceof UnreadableFile) return error.fault;
  return error instanceof Unreadable ? INPUT_ERRORS[error.reason] : otherwise;
}
