/** An RFC 9457 problem document of the API. Members of single codes (`allowedActions`, `currentVersion` …) stand beside these. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  message: string;
  success: false;
  requestId: string;
  errors?: readonly unknown[];
  [member: string]: unknown;
}

/**
 * What every call throws for an answer that is no success. `code` is what programs decide by; `message` is for people, in the client's
 * language. `code` is UNEXPECTED_ANSWER where something on the way answered instead of the API, and NOT_MODIFIED for a 304; `document` is
 * null then.
 */
export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  /** What to quote when it is reported. */
  readonly requestId: string | null;
  /** Seconds after which it may be tried again; null where the API does not say. */
  readonly retryAfterS: number | null;

  constructor(
    readonly document: ProblemDocument | null,
    readonly response: Response,
  ) {
    const isUnchanged = response.status === 304;
    const why = isUnchanged ? '' : ', which is no answer of the API';
    super(document?.detail ?? `${response.url} answered ${response.status}${why}`);
    this.name = 'ApiProblem';
    this.code = document?.code ?? (isUnchanged ? 'NOT_MODIFIED' : 'UNEXPECTED_ANSWER');
    this.status = response.status;
    this.requestId = document?.requestId ?? response.headers.get('x-request-id');
    this.retryAfterS = retryAfterOf(response);
  }

  /** Reads an answer's body; the answer must not be read before. */
  static async of(response: Response): Promise<ApiProblem> {
    const isProblem = /^application\/problem\+json\b/i.test(response.headers.get('content-type') ?? '');
    const document = isProblem ? ((await response.json().catch(() => null)) as ProblemDocument | null) : null;
    return new ApiProblem(document, response);
  }
}

/** Seconds of an answer's Retry-After; null where it has none. */
export function retryAfterOf({ headers }: Pick<Response, 'headers'>): number | null {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) : null;
}
