import { activeSpan, traced } from '@po/platform';

/** Runs a script in a span of its own, if the current trace is sampled. */
export function inScriptSpan<T>(script: string, run: () => Promise<T>): Promise<T> {
  if (!activeSpan()) return run();
  return traced('script', `EVALSHA ${script}`, { 'db.stored_procedure.name': script }, run);
}
