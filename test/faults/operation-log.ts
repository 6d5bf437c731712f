import type { Problem } from './http.js';

/** The outcome of one attempt, as far as its caller can know. */
export type Outcome =
  | {
      kind: 'acknowledged';
      status: number;
      version: number | null;
      historyId: string | null;
      replayed: boolean;
      /** Set if a policy approved the submission immediately. */
      autoApproved?: boolean;
    }
  | { kind: 'refused'; status: number; code: string }
  /** 504 or no answer at all. `key`: the idempotency key under which a retry learns the outcome. */
  | { kind: 'unknown'; why: string; key: string | null };

export type OperationKind = 'transition' | 'header' | 'lines' | 'message' | 'mark-read' | 'source' | 'read';

export interface Operation {
  /** Unique number that the operation writes into a comment, remark or quantity of the order, to identify its effect. */
  mark: string;
  kind: OperationKind;
  scenario: string;
  /** PO number; for `mark-read` the notification id, for `read` the path. */
  target: string;
  user: string;
  /** For a transition, the action; for a source message, its revision. */
  detail: string;
  startedAt: string;
  attempts: Outcome[];
}

/** How often an operation must have taken effect, according to the answers to its caller. */
export type Expectation = 'once' | 'at most once' | 'never';

/** One acknowledged attempt means `once`. Without one, an attempt with an unknown outcome may have taken effect. */
export function expectationOf({ attempts }: Pick<Operation, 'attempts'>): Expectation {
  if (attempts.some(({ kind }) => kind === 'acknowledged')) return 'once';
  return attempts.some(({ kind }) => kind === 'unknown') ? 'at most once' : 'never';
}

/** Converts an answer, or the error of a missing answer, to an outcome. */
export function outcomeOf(answer: Answered | Error, clientKey: string | null): Outcome {
  if (answer instanceof Error) return { kind: 'unknown', why: answer.message, key: clientKey };
  const { status, headers, body } = answer;
  if (status < 300) {
    const { version, historyId, autoApproved } = body as Answer;
    const tag = /^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1];
    return {
      kind: 'acknowledged',
      status,
      version: version ?? (tag === undefined ? null : Number(tag)),
      historyId: historyId ?? null,
      replayed: headers.get('idempotency-replayed') === 'true',
      ...(autoApproved ? { autoApproved } : {}),
    };
  }
  const { code, idempotencyKey } = body as Problem;
  if (status === 504) return { kind: 'unknown', why: `504 ${code}`, key: clientKey ?? idempotencyKey ?? null };
  return { kind: 'refused', status, code: code ?? 'NO_PROBLEM_DOCUMENT' };
}

interface Answer {
  version?: number;
  historyId?: string;
  autoApproved?: boolean;
}

interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

/** All operations in the order of their start. */
export class OperationLog {
  readonly operations: Operation[] = [];
  private count = 0;

  /** Starts an operation. Its mark is a number, so that a quantity can hold it. */
  begin(operation: Omit<Operation, 'mark' | 'startedAt' | 'attempts'>): Operation {
    this.count += 1;
    const started = {
      ...operation,
      mark: String(FIRST_MARK + this.count),
      startedAt: new Date().toISOString(),
      attempts: [],
    };
    this.operations.push(started);
    return started;
  }

  of(scenario: string): Operation[] {
    return this.operations.filter((operation) => operation.scenario === scenario);
  }
}

/** Above every imported quantity. */
const FIRST_MARK = 10_000;
