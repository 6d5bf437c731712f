import { activeSpan, traced } from '@po/platform';

/** Runs the script of this name in a span of its own, if it belongs to one that is kept. */
export function inScriptSpan<T>(script: string, run: () => Promise<T>): Promise<T> {
  if (!activeSpan()) return run();
  return traced('script', `EVALSHA ${script}`, { 'db.stored_procedure.name': script }, run);
}
