import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type LogFn, type Logger as PinoLogger, type LoggerOptions, pino } from 'pino';
import { Counter } from 'prom-client';
import { VERSION } from './configuration/config.js';
import { messageOf } from './error-message.js';

export type Logger = PinoLogger;

/** Fields in every log line of a request or message. Only ids: no body, token or e-mail address. */
interface LogContext {
  requestId?: string;
  traceId?: string;
}

const context = new AsyncLocalStorage<LogContext>();

/** Runs `work` so that every line it logs has these fields. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return context.run(fields, work);
}

const ERROR = pino.levels.values.error ?? 50;

/** Allowlisted fields of an error: library errors also carry statements with their values and connections with their keys. */
function errorFields(error: Error) {
  // The message ends with that of the innermost cause.
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  const cause = innermostCause(error);
  return { type, message: cause.message ? message : message + messageOf(cause), code: code as unknown, stack };
}

const innermostCause = (error: Error, depth = 10): Error =>
  depth > 0 && error.cause instanceof Error ? innermostCause(error.cause, depth - 1) : error;

/** Omits the stack below level error, where failures are expected and a stack only adds noise. Level debug shows it. */
function logMethod(this: PinoLogger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const [fields] = args as [unknown];
  if (level < ERROR && !this.isLevelEnabled('debug') && hasError(fields)) {
    const { stack: _, ...err } = errorFields(fields.err);
    args[0] = { ...fields, err };
  }
  method.apply(this, args);
}

const hasError = (fields: unknown): fields is { err: Error } =>
  typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error;

/** Bytes of lines that wait while standard output takes none; later lines are dropped. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** Attempts to write to a full pipe, one every 100 ms, before the write counts as failed. */
const MAX_ATTEMPTS = 20;
const RETRY_AFTER_MS = 1_000;

const dropped = new Counter({
  name: 'log_lines_dropped_total',
  help: 'Log lines lost because standard output did not take them',
});

/** Standard output that neither ends nor blocks the process if it fails, as on a full disk. A failed write is repeated every second. */
function standardOutput(): DestinationStream {
  let failed = false;
  let attempts = 0;
  let retry: NodeJS.Timeout | undefined;
  const output = pino.destination({
    sync: false,
    maxLength: MAX_WAITING_BYTES,
    retryEAGAIN: () => (attempts += 1) < MAX_ATTEMPTS,
  });
  const flushSync = output.flushSync.bind(output);
  // Called for a fatal error and at the exit of the process. The original retries a failed write forever.
  output.flushSync = () => {
    try {
      if (!failed) flushSync();
    } catch {
      failed = true;
    }
  };
  output.on('error', () => {
    failed = true;
    // Not by the next line, which is dropped before a write if too many wait. An empty text starts the write.
    retry ??= setTimeout(() => {
      retry = undefined;
      output.write('');
    }, RETRY_AFTER_MS).unref();
  });
  output.on('drop', () => dropped.inc());
  output.on('write', () => {
    failed = false;
    attempts = 0;
  });
  return output;
}

/** Logs one JSON line per message, to stdout by default: time (RFC 3339), level (name), service, version. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, version: VERSION },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    // A copy, because pino adds the fields of the line to it.
    mixin: () => ({ ...context.getStore() }),
    serializers: { err: (error: unknown) => (error instanceof Error ? errorFields(error) : error) },
    hooks: { logMethod },
  };
  return pino(options, destination ?? standardOutput());
}

/** Nest's logger interface on top of pino, so that Nest also logs JSON. Nest's startup messages get level debug. */
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
