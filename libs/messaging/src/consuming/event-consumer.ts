import type { Group } from '@po/contracts';
import { HEADERS, TOPICS, canonicalPoRef } from '@po/contracts';
import {
  type Logger,
  type Span,
  shouldLog,
  retry,
  continueTrace,
  isDefect,
  traceIdOf,
  withLogContext,
  withSpan,
} from '@po/platform';
import type { ZodType } from 'zod';
import { ContentError, isContentError, jsonOf } from './content-error.js';
import type { EventContext, EventHandler } from './event-context.js';
import { deadLetter } from '../dead-letters/dead-letters.js';
import type { IncomingRecord } from '../kafka-port.js';
import { messages, processing } from '../metrics.js';
import type { Publisher } from '../publishing/publisher.js';

export interface EventConsumerOptions {
  group: Group;
  /** The header that names a record's type. */
  typeHeader: string;
  /** Event type -> schema of its value. Every other type is dead-lettered. */
  schemas: Readonly<Record<string, ZodType>>;
  /** Reason why the payload is invalid under this key; null if it is valid. */
  checkKey?: (payload: never, key: string | null) => string | null;
  handlerOf: (type: string) => EventHandler | null;
  deadLetters: Publisher;
  logger: Logger;
}

const RETRY = { initialMs: 50, maxMs: 5_000 };
/** Consecutive defects before an event is dead-lettered. More than one, because a driver may throw such errors on a broken connection. */
const MAX_DEFECTS = 5;
/** Minimum milliseconds between two warnings about waiting events: hundreds may wait for the same store. */
const MIN_LOG_INTERVAL_MS = 1_000;

/**
 * Handles the events of one group. Invalid content is dead-lettered at once, an event that keeps hitting a defect after some attempts.
 * All other failures are retried forever.
 */
export class EventConsumer {
  private lastLineAt = -Infinity;

  constructor(private readonly options: EventConsumerOptions) {}

  /** Resolves true once the effect is stored or the record dead-lettered; false if it was abandoned because `stopped` turned true. */
  async handle(record: IncomingRecord, stopped: () => boolean): Promise<boolean> {
    const { group, logger } = this.options;
    const { topic, partition, offset } = record;
    const span = continueTrace('event', `process ${topic}`, record.headers[HEADERS.traceparent], {
      'messaging.destination.name': topic,
      'messaging.destination.partition.id': String(partition),
      'messaging.kafka.offset': Number(offset),
      'messaging.consumer.group.name': group,
    });
    const { traceparent } = span;
    const handle = async () => {
      const end = processing.startTimer({ topic, group });
      const outcome = await this.process(record, span, stopped);
      const seconds = end();
      messages.inc({ topic, group, outcome });
      if (outcome === 'handled' && logger.isLevelEnabled('info')) this.logHandled(record, seconds);
      span.end(outcome === 'dead-lettered' ? outcome : undefined);
      return outcome !== 'stopped';
    };
    return withLogContext({ traceId: traceIdOf(traceparent) }, () => withSpan(span, handle));
  }

  private async process(
    record: IncomingRecord,
    span: Span<'event'>,
    stopped: () => boolean,
  ): Promise<'handled' | 'dead-lettered' | 'stopped'> {
    const { group, logger, deadLetters } = this.options;
    const { topic, partition, offset } = record;
    let attempts = 0;
    let defects = 0;
    try {
      const { handler, payload, context } = this.decode(record, span.traceparent);
      const attempt = () => {
        attempts += 1;
        if (attempts > 1) span.set({ 'po.event.attempts': attempts });
        return handler(payload, context);
      };
      const onError = (error: unknown) => {
        if (isContentError(error)) throw error;
        defects = isDefect(error) ? defects + 1 : 0;
        if (defects === MAX_DEFECTS)
          throw new ContentError(`failed ${defects} times because of a defect: ${String(error)}`);
        logger[this.levelOf(attempts)](
          { err: error, topic, partition, offset, attempts },
          'an event could not be handled; trying again',
        );
      };
      return (await retry(attempt, { ...RETRY, stopped, onError })) ? 'handled' : 'stopped';
    } catch (error) {
      const isStored = await deadLetter(deadLetters, group, record, reasonOf(error), logger, stopped);
      return isStored ? 'dead-lettered' : 'stopped';
    }
  }

  private logHandled({ topic, partition, offset, headers, key }: IncomingRecord, seconds: number): void {
    const type = headers[this.options.typeHeader];
    // The directory's records alone are keyed by a user.
    const poRef = topic === TOPICS.users ? undefined : (canonicalPoRef(key?.toString() ?? '') ?? undefined);
    const durationMs = Math.round(seconds * 10_000) / 10;
    const line = { type, topic, partition, offset, poRef, outcome: 'handled', durationMs };
    this.options.logger.info(line, 'event handled');
  }

  private levelOf(attempts: number): 'warn' | 'debug' {
    const now = performance.now();
    if (!shouldLog(attempts) || now - this.lastLineAt < MIN_LOG_INTERVAL_MS) return 'debug';
    this.lastLineAt = now;
    return 'warn';
  }

  private decode(record: IncomingRecord, traceparent: string) {
    if (record.unreadable !== undefined) throw new ContentError(record.unreadable);
    const { typeHeader } = this.options;
    const types = new Set([record.rawHeaders[typeHeader] ?? []].flat().map(String));
    // Which type the inventory system means is unknown, and a cancellation is final. Of a header of our services, the last value counts.
    if (typeHeader === HEADERS.inventoryType && types.size > 1)
      throw new ContentError(`header ${typeHeader} has different values: ${[...types].join(', ').slice(0, 200)}`);
    const type = record.headers[typeHeader];
    const allowed = Object.keys(this.options.schemas).join(', ');
    if (!type) throw new ContentError(`header ${typeHeader} is missing; allowed: ${allowed}`);
    const schema = Object.hasOwn(this.options.schemas, type) ? this.options.schemas[type] : undefined;
    if (!schema) throw new ContentError(`unknown ${typeHeader} "${type.slice(0, 100)}"; allowed: ${allowed}`);
    const handler = this.options.handlerOf(type);
    if (!handler) throw new Error(`no handler is bound to event type ${type}`);
    const parsed = schema.safeParse(jsonOf(record));
    if (!parsed.success) {
      const issues = parsed.error.issues.slice(0, 5).map(({ path, message }) => `/${path.join('/')}: ${message}`);
      throw new ContentError(`the value does not fit ${type}: ${issues.join('; ')}`);
    }
    const key = record.key?.toString('utf8') ?? null;
    const misplaced = this.options.checkKey?.(parsed.data as never, key);
    if (misplaced) throw new ContentError(misplaced);
    const { topic, partition, offset, headers } = record;
    const context: EventContext = { topic, partition, offset, key, headers, traceparent };
    return { handler, payload: parsed.data, context };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
