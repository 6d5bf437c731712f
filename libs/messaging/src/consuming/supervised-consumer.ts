import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, shouldLog } from '@po/platform';
import type { ConsumerHandlers, ConsumerOptions, ConsumerPort, KafkaPort } from '../kafka-port.js';

const RESTART_AFTER_MS = 1_000;

interface SupervisedConsumerOptions {
  kafka: KafkaPort;
  consumer: ConsumerOptions;
  logger: Logger;
  /** Called for each new consumer. */
  handlersOf: (consumer: ConsumerPort) => ConsumerHandlers;
  /** Called when the consumer crashed, could not start or left: its assignment is no longer valid. */
  onEnd: () => void;
}

/**
 * Keeps one consumer running, even through Kafka outages. A consumer that cannot start or whose handler throws is stopped and replaced
 * after 1 s.
 */
export class SupervisedConsumer {
  /** Reason why the last start failed; null if it succeeded or no start has ended. */
  failure: string | null = null;
  private ending = false;
  private readonly left = Promise.withResolvers<void>();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: SupervisedConsumerOptions) {}

  /** Returns at once; joins the group in the background. */
  start(): void {
    this.running = this.run();
  }

  /** Stops replacing the consumer; the current one continues. */
  stopReplacing(): void {
    this.ending = true;
  }

  /** Leaves the group. Resolves once the consumer has stopped, which may take as long as a join in progress. */
  async leave(): Promise<void> {
    this.stopReplacing();
    this.left.resolve();
    await this.running;
  }

  private async run(): Promise<void> {
    const { logger, consumer, onEnd } = this.options;
    for (let failures = 1; !this.ending; failures += 1) {
      const port = this.options.kafka.consumer(consumer);
      try {
        const crash = await this.untilStopped(port);
        failures = 0;
        if (crash) logger.error({ err: crash, group: consumer.group }, 'a consumer crashed; restarting it');
      } catch (error) {
        this.failure = error instanceof Error ? error.message : String(error);
        const level = shouldLog(failures) ? 'warn' : 'debug';
        logger[level]({ err: error, group: consumer.group }, 'a consumer could not start; trying again');
      }
      onEnd();
      await port.stop().catch(() => undefined);
      await Promise.race([this.left.promise, delay(RESTART_AFTER_MS, undefined, { ref: false })]);
    }
  }

  private async untilStopped(port: ConsumerPort): Promise<unknown> {
    const crashed = Promise.withResolvers<unknown>();
    const starting = port.start(stopAtFirstError(this.options.handlersOf(port), crashed.resolve));
    // A join is awaited: if aborted, it would leave a member behind whose partitions make no progress until its session ends. A
    // consumer of fixed partitions joins no group.
    const hasNoGroup = this.options.consumer.partitions !== undefined;
    await (hasNoGroup ? Promise.race([starting, this.left.promise]) : starting);
    this.failure = null;
    return Promise.race([crashed.promise, this.left.promise]);
  }
}

/**
 * Stops forwarding after the first error, because the adapter counts delivered records as handled and reads on: unhandled records are
 * read again only by a new consumer, which starts at the committed offset.
 */
function stopAtFirstError(handlers: ConsumerHandlers, onThrow: (error: unknown) => void): ConsumerHandlers {
  let over = false;
  const guarded =
    <T extends unknown[]>(handler: (...args: T) => void) =>
    (...args: T) => {
      if (over) return;
      try {
        handler(...args);
      } catch (error) {
        over = true;
        onThrow(error);
      }
    };
  return {
    onRecords: guarded((...read) => handlers.onRecords(...read)),
    onReset: guarded((partition) => handlers.onReset?.(partition)),
    onAssigned: guarded((assignment) => handlers.onAssigned?.(assignment)),
    onRebalancing: guarded(() => handlers.onRebalancing?.()),
    onPartitionsLost: guarded(() => handlers.onPartitionsLost?.()),
  };
}
