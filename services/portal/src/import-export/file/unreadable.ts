import { type Reason, Unreadable } from '@po/spreadsheets';

/** Why a file cannot be read; each has a text. */
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

/** What no program writes that people use is damaged, for them. */
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

/** What was wrong with a file; `otherwise` where those who read it say it in words of their own. */
export function inputErrorOf(error: unknown, otherwise: InputError): InputError {
  if (error instanceof UnreadableFile) return error.fault;
  return error instanceof Unreadable ? INPUT_ERRORS[error.reason] : otherwise;
}
