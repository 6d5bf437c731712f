import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger as PinoLogger, type LoggerOptions, pino } from 'pino';

export type Logger = PinoLogger;

/** What every line of one request or message carries. Ids only: no body, no token, no e-mail. */
export interface LogContext {
  requestId?: string;
  traceId?: string;
}

const context = new AsyncLocalStorage<LogContext>();

/** Runs `work` so that every line logged inside carries the ids of `fields`. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return context.run(fields, work);
}

/** One JSON line a message, on stdout if no destination is given: time (RFC 3339), level (name), service, version. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, version: VERSION },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => context.getStore() ?? {},
  };
  return destination ? pino(options, destination) : pino(options);
}

/** The version that logs, metrics and `/version` report. */
export const VERSION = '0.1.0';

/** Nest's logger interface over pino, so that Nest's own lines are JSON too; its start-up chatter goes to debug. */
export function nestLogger(logger: Logger) {
  const line =
    (level: 'debug' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...rest: unknown[]) =>
      logger[level]({ context: rest.at(-1) }, message instanceof Error ? message.message : String(message));
  return {
    log: line('debug'),
    debug: line('debug'),
    verbose: line('debug'),
    warn: line('warn'),
    error: line('error'),
    fatal: line('fatal'),
  };
}
