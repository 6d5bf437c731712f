import { ApiProblem } from '@po/client';

/** Whether a write was refused because the order moved on since it was looked at. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412;
