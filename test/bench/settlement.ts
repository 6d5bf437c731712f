import { type KafkaPort, connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import pg from 'pg';
import { requireNoLag } from '#local/stack/backlog.js';
import { eventually } from '@po/testing/eventually';
import type { StackFile } from '#local/stack/stack-file.js';

const PATIENCE_MS = 60_000;

/** Says when the product has done everything that earlier requests caused. */
export interface Settlement {
  kafka: KafkaPort;
  /** Of the purchase-orders database, as a role that sees every row. */
  orders: pg.Pool;
  /** Likewise of the notifications database. */
  notifications: pg.Pool;
  /** Resolves when both outboxes are empty and no consumer group has records left. Rejects after `patienceMs`. */
  settled: () => Promise<void>;
  /** Once, however often it is called. */
  close: () => Promise<void>;
}

export async function openSettlement(
  { kafkaBrokers, databaseUrls }: StackFile,
  patienceMs = PATIENCE_MS,
): Promise<Settlement> {
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers.split(',') }, 'bench', createLogger('bench', 'warn'));
  const admin = await kafka.admin();
  const orders = new pg.Pool({ connectionString: databaseUrls.purchaseOrders, max: 1 });
  const notifications = new pg.Pool({ connectionString: databaseUrls.notifications, max: 1 });
  // Not how many: to count a hundred thousand rows again and again would take what they wait for.
  const isPending = async (pool: pg.Pool) => (await pool.query('SELECT FROM outbox LIMIT 1')).rowCount !== 0;
  const requireNothingLeft = async () => {
    // In the order in which work flows: what is done by the first look is in sight of the next.
    for (const [name, pool] of Object.entries({ orders, notifications })) {
      if (await isPending(pool)) throw new Error(`rows are in the outbox of ${name}`);
      await requireNoLag(admin);
    }
    return true;
  };
  let closing: Promise<unknown> | null = null;
  return {
    ...{ kafka, orders, notifications },
    settled: async () => {
      await eventually('outboxes are empty and no consumer lags', requireNothingLeft, { timeoutMs: patienceMs });
    },
    close: async () => {
      await (closing ??= Promise.all([admin.close(), orders.end(), notifications.end()]));
    },
  };
}
