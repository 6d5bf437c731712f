import type { Problem } from './http.js';

/** How one try ended, as far as its caller can know. */
export type Outcome =
  | {
      kind: 'acknowledged';
      status: number;
      version: number | null;
      historyId: string | null;
      replayed: boolean;
      /** Of a submission that a policy approved at once. */
      autoApproved?: boolean;
    }
  | { kind: 'refused'; status: number; code: string }
  /** 504 or no answer at all. `key`: the one by which the outcome can be asked for. */
  | { kind: 'unknown'; why: string; key: string | null };

export type OperationKind = 'transition' | 'header' | 'lines' | 'message' | 'mark-read' | 'source' | 'read';

export interface Operation {
  /** Stands in the order as comment, remark or quantity, so that its effect is found and told from all others. */
  mark: string;
  kind: OperationKind;
  scenario: string;
  /** PO number, or for `mark-read` the notification, for `read` the path. */
  target: string;
  user: string;
  /** For a transition, the action; for a source message, its revision. */
  detail: string;
  startedAt: string;
  attempts: Outcome[];
}

/** How often an operation may have taken effect, from what its caller was told. */
export type Expectation = 'once' | 'at most once' | 'never';

/** One acknowledged try settles it; without one, any try of unknown outcome may have worked. */
export function expectationOf({ attempts }: Pick<Operation, 'attempts'>): Expectation {
  if (attempts.some(({ kind }) => kind === 'acknowledged')) return 'once';
  return attempts.some(({ kind }) => kind === 'unknown') ? 'at most once' : 'never';
}

/** An answer, or its absence, as an outcome. */
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

/** Everything that was tried, in the order of its start. */
export class OperationLog {
  readonly operations: Operation[] = [];
  private count = 0;

  /** Begins an operation. Its mark is a number, which a quantity can carry too. */
  begin(operation: Omit<Operation, 'mark' | 'startedAt' | 'attempts'>): Operation {
    this.count += 1;
    const begun = {
      ...operation,
      mark: String(FIRST_MARK + this.count),
      startedAt: new Date().toISOString(),
      attempts: [],
    };
    this.operations.push(begun);
    return begun;
  }

  of(scenario: string): Operation[] {
    return this.operations.filter((operation) => operation.scenario === scenario);
  }
}

/** Above every quantity that an order is imported with. */
const FIRST_MARK = 10_000;
