import { ApiProblem } from '@po/client';
import type { ImportFile, ImportResult } from '../../api/writes.js';
import type { Reply } from '../file/replies.js';

export type Change = ImportResult['changes'][number];
export type RowError = ImportResult['errors'][number];

/** Changes that an import would make, and the version of the order that they are based on. */
export interface Preview {
  version: number;
  changes: readonly Change[];
  errors: readonly RowError[];
}

/** Reason why the API did not check or import the lines. `noAnswer`: the outcome is unknown. */
export interface Refusal {
  kind: 'locked' | 'unknown' | 'forbidden' | 'noAnswer' | 'problem';
  message: string;
  requestId: string | null;
  /** Status of the order, if it is the reason; otherwise null. */
  statusId: number | null;
}

export type State =
  | { at: 'waiting' }
  | { at: 'checking' }
  /** `hasMoved`: the order was checked again, because others changed it after the first check. */
  | { at: 'checked'; preview: Preview; hasMoved: boolean }
  | { at: 'applying'; preview: Preview }
  | { at: 'applied'; preview: Preview }
  /** `preview`: from the check, if the import got no answer and can be sent again; otherwise null. */
  | { at: 'refused'; refusal: Refusal; preview: Preview | null };

/** The lines of one order in a file, and their state. */
export interface OrderImport {
  poRef: string;
  /** Row id of each row in the file. */
  rowIds: readonly string[];
  /** Replies in these rows; null if the API checks the rows in any case. */
  replies: readonly Reply[] | null;
  /** Creates the file when it is sent, because the CSV of each order has an empty line for every omitted row above its own rows. */
  file: () => ImportFile;
  /** Idempotency key of the import: repeating it after a missing answer has no second effect. */
  key: string;
  state: State;
}

/** Status of a part, for counts and views. */
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
  }
}

/** The changes to apply: those of a check without errors, or of an import without an answer; null if there are none. */
export function applicablePreview(part: OrderImport): Preview | null {
  const { state } = part;
  if (state.at === 'checked') return kindOf(part) === 'ready' ? state.preview : null;
  return state.at === 'refused' ? state.preview : null;
}

/** Whether the API still has to check the lines. */
export const needsCheck = ({ state }: OrderImport): boolean =>
  state.at === 'waiting' || (state.at === 'refused' && state.preview === null && state.refusal.kind === 'noAnswer');

/** Format of PO numbers in the API. */
const PO_NUMBER = /^[A-Z0-9][A-Z0-9._-]{0,39}$/;

export const isPoNumber = (text: string): boolean => PO_NUMBER.test(text);

/** Converts an error to a refusal by the API, or to a missing answer. */
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
