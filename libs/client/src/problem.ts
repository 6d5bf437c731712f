import type { components } from './api.js';

/** An RFC 9457 problem document of the API. Some codes have additional members (`allowedActions`, `currentVersion` …). */
export type ProblemDocument = components['schemas']['Problem'] & { errors?: readonly unknown[] };

/**
 * Thrown by every call for a response other than a success. Programs decide by `code`; `message` is for users, in the client's language.
 * `code` is UNEXPECTED_ANSWER if an intermediary responded instead of the API, and NOT_MODIFIED for a 304; then `document` is null.
 */
export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  /** Request id to quote in an error report. */
  readonly requestId: string | null;
  /** Seconds after which a retry is allowed; null if the API does not specify it. */
  readonly retryAfterS: number | null;

  constructor(
    readonly document: ProblemDocument | null,
    readonly response: Response,
  ) {
    const isUnchanged = response.status === 304;
    const why = isUnchanged ? '' : ', which is not a response of the API';
    super(document?.detail ?? `${response.url} answered ${response.status}${why}`);
    this.name = 'ApiProblem';
    this.code = document?.code ?? (isUnchanged ? 'NOT_MODIFIED' : 'UNEXPECTED_ANSWER');
    this.status = response.status;
    this.requestId = document?.requestId ?? response.headers.get('x-request-id');
    this.retryAfterS = retryAfterOf(response);
  }

  /** Reads the body of a response, which must not have been read yet. */
  static async of(response: Response): Promise<ApiProblem> {
    const isProblem = /^application\/problem\+json\b/i.test(response.headers.get('content-type') ?? '');
    const document = isProblem ? ((await response.json().catch(() => null)) as ProblemDocument | null) : null;
    return new ApiProblem(document, response);
  }
}

/** Seconds in the Retry-After header; null if it has none. */
export function retryAfterOf({ headers }: Pick<Response, 'headers'>): number | null {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) : null;
}
