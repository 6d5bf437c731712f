import { ApiProblem } from '@po/client';

/** Statuses that may come even if an earlier request with the same key succeeded. */
const INCONCLUSIVE = new Set([401, 408, 425, 429]);
/** An earlier request with the same key is still running. */
const RUNNING = 'IDEMPOTENCY_IN_PROGRESS';

/** Whether the API refused a write for good. After any other error the outcome is unknown. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiProblem &&
  error.document !== null &&
  error.status < 500 &&
  error.code !== RUNNING &&
  !INCONCLUSIVE.has(error.status);
