import { type KafkaPort, connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import pg from 'pg';
import { requireNoLag } from '#local/stack/backlog.js';
import { eventually } from '#local/eventually.js';
import type { StackFile } from '#local/stack/stack-file.js';

const PATIENCE_MS = 60_000;

/** Says when the product has done everything that earlier requests caused. */
export interface Settlement {
  kafka: KafkaPort;
  /** Of the purchase-orders database, as a role that sees every row. */
  orders: pg.Pool;
  /** Resolves when both outboxes are empty and no consumer group has records left. Rejects after a minute. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

export async function openSettlement({ kafkaBrokers, databaseUrls }: StackFile): Promise<Settlement> {
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers.split(',') }, 'bench', createLogger('bench', 'warn'));
  const admin = await kafka.admin();
  const orders = new pg.Pool({ connectionString: databaseUrls.purchaseOrders, max: 1 });
  const notifications = new pg.Pool({ connectionString: databaseUrls.notifications, max: 1 });
  const pending = async (pool: pg.Pool) =>
    Number((await pool.query<{ count: string }>('SELECT count(*) FROM outbox')).rows[0]?.count);
  const requireNothingLeft = async () => {
    // In the order in which work flows: what is done by the first look is in sight of the next.
    for (const [name, pool] of Object.entries({ orders, notifications })) {
      const rows = await pending(pool);
      if (rows > 0) throw new Error(`${rows} rows in the outbox of ${name}`);
      await requireNoLag(admin);
    }
    return true;
  };
  return {
    ...{ kafka, orders },
    settled: async () => {
      await eventually('outboxes are empty and no consumer lags', requireNothingLeft, { timeoutMs: PATIENCE_MS });
    },
    close: async () => {
      await Promise.all([admin.close(), orders.end(), notifications.end()]);
    },
  };
}
