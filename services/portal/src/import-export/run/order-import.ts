import { ApiProblem } from '@po/client';
import type { ImportFile, ImportResult } from '../../api/writes.js';
import type { Reply } from '../file/replies.js';

export type Change = ImportResult['changes'][number];
export type RowError = ImportResult['errors'][number];

/** What an import would change, and in which version of the order. */
export interface Preview {
  version: number;
  changes: readonly Change[];
  errors: readonly RowError[];
}

/** Why the API did not look at the lines, or did not take them. `noAnswer`: whether it did is not known. */
export interface Refusal {
  kind: 'locked' | 'unknown' | 'forbidden' | 'noAnswer' | 'problem';
  message: string;
  requestId: string | null;
  /** Of the order, where that is why. */
  statusId: number | null;
}

export type State =
  | { at: 'waiting' }
  | { at: 'checking' }
  /** `hasMoved`: others changed the order after it was checked first, so it was checked anew. */
  | { at: 'checked'; preview: Preview; hasMoved: boolean }
  | { at: 'applying'; preview: Preview }
  | { at: 'applied'; preview: Preview }
  /** `preview`: of the check, where the import had no answer; it may be sent again. */
  | { at: 'refused'; refusal: Refusal; preview: Preview | null };

/** The lines of one order in a file, and what became of them. */
export interface OrderImport {
  poRef: string;
  /** Rows of the file. */
  rows: number;
  /** What these rows say; null for a file that goes to the API as it is. */
  replies: readonly Reply[] | null;
  /** Made when it is sent: of many orders each has the empty lines of all rows above its own. */
  file: () => ImportFile;
  /** Of the import: sent again after an answer that did not come, it has no second effect. */
  key: string;
  state: State;
}

/** What can be said of a part in a word. */
export type Kind = 'waiting' | 'working' | 'ready' | 'same' | 'faulty' | 'refused' | 'applied';

export function kindOf({ state }: OrderImport): Kind {
  switch (state.at) {
    case 'waiting':
    case 'applied':
    case 'refused':
      return state.at;
    case 'checking':
    case 'applying':
      return 'working';
    case 'checked':
      if (state.preview.errors.length > 0) return 'faulty';
      return state.preview.changes.length > 0 ? 'ready' : 'same';
    default:
      return state satisfies never;
  }
}

/** What the API would be asked to change: lines that are in order, and those whose answer did not come. */
export function toApply(part: OrderImport): Preview | null {
  const { state } = part;
  if (state.at === 'checked') return kindOf(part) === 'ready' ? state.preview : null;
  return state.at === 'refused' ? state.preview : null;
}

/** Whether the API has still to say what the lines would change. */
export const toCheck = ({ state }: OrderImport): boolean =>
  state.at === 'waiting' || (state.at === 'refused' && state.preview === null && state.refusal.kind === 'noAnswer');

/** As the API writes its PO numbers; anything else is none. */
const PO_NUMBER = /^[A-Z0-9][A-Z0-9._-]{0,39}$/;

export const isPoNumber = (text: string): boolean => PO_NUMBER.test(text);

/** A refusal of the API, or that there was no answer of it, in words. */
export function refusalOf(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiProblem)) return { kind: 'noAnswer', message, requestId: null, statusId: null };
  const statusId = error.document?.currentStatusId;
  return {
    kind: refusalKindOf(error),
    message,
    requestId: error.requestId,
    statusId: typeof statusId === 'number' ? statusId : null,
  };
}

function refusalKindOf({ status, code }: ApiProblem): Refusal['kind'] {
  if (code === 'PO_NOT_EDITABLE') return 'locked';
  if (status === 404) return 'unknown';
  if (status === 403) return 'forbidden';
  return status >= 500 || status === 401 || code === 'IDEMPOTENCY_IN_PROGRESS' ? 'noAnswer' : 'problem';
}
