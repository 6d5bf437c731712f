import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@po/platform';
import type { ConsumerHandlers, ConsumerOptions, ConsumerPort, KafkaPort } from '../kafka-port.js';

const RESTART_AFTER_MS = 1_000;

interface SupervisedConsumerOptions {
  kafka: KafkaPort;
  consumer: ConsumerOptions;
  logger: Logger;
  /** For each consumer that is made, in turn. */
  handlersOf: (consumer: ConsumerPort) => ConsumerHandlers;
  /** The last consumer crashed, could not start or was left: nothing it said holds any more. */
  onEnd: () => void;
}

/**
 * Keeps one consumer at work, however long Kafka is away: one whose handler throws, or that cannot start, is stopped, and after 1 s made
 * anew.
 */
export class SupervisedConsumer {
  /** Why the last one could not start; null before the first that could not. */
  failure: string | null = null;
  private ending = false;
  private readonly left = Promise.withResolvers<void>();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: SupervisedConsumerOptions) {}

  /** Returns at once; joins the group in the background. */
  start(): void {
    this.running = this.run();
  }

  /** From now on none is made anew; the present one goes on. */
  letEnd(): void {
    this.ending = true;
  }

  /** Leaves the group. Resolves when the consumer has stopped, which may take as long as a join that is under way. */
  async leave(): Promise<void> {
    this.letEnd();
    this.left.resolve();
    await this.running;
  }

  private async run(): Promise<void> {
    const { logger, consumer, onEnd } = this.options;
    while (!this.ending) {
      const port = this.options.kafka.consumer(consumer);
      try {
        const crash = await this.untilStopped(port);
        if (crash) logger.error({ err: crash, group: consumer.group }, 'a consumer crashed; starting it anew');
      } catch (error) {
        this.failure = error instanceof Error ? error.message : String(error);
        logger.warn({ err: error, group: consumer.group }, 'a consumer could not start; trying again');
      }
      onEnd();
      await port.stop().catch(() => undefined);
      await Promise.race([this.left.promise, delay(RESTART_AFTER_MS, undefined, { ref: false })]);
    }
  }

  private async untilStopped(port: ConsumerPort): Promise<unknown> {
    const crashed = Promise.withResolvers<unknown>();
    const starting = port.start(untilOneThrows(this.options.handlersOf(port), crashed.resolve));
    // A join that is broken off leaves a member behind, and its partitions stand still until the session ends. One with a slot is
    // in no group.
    const alone = this.options.consumer.partition !== undefined;
    await (alone ? Promise.race([starting, this.left.promise]) : starting);
    return Promise.race([crashed.promise, this.left.promise]);
  }
}

/**
 * The same handlers until one of them throws; from then on nothing is told. An adapter takes for handed over what it told of, and reads on
 * behind it: what a handler did not take comes again only to a consumer that begins at what is committed.
 */
function untilOneThrows(handlers: ConsumerHandlers, onThrow: (error: unknown) => void): ConsumerHandlers {
  let over = false;
  const guarded =
    <T extends unknown[]>(tell: (...what: T) => void) =>
    (...what: T) => {
      if (over) return;
      try {
        tell(...what);
      } catch (error) {
        over = true;
        onThrow(error);
      }
    };
  return {
    onRecords: guarded((...read) => handlers.onRecords(...read)),
    onReset: guarded((partition) => handlers.onReset?.(partition)),
    onAssigned: guarded((assignment) => handlers.onAssigned(assignment)),
    onRebalancing: guarded(() => handlers.onRebalancing()),
    onPartitionsLost: guarded(() => handlers.onPartitionsLost?.()),
  };
}
