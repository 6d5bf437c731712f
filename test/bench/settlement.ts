import { GROUPS, TOPICS } from '@po/contracts';
import { type KafkaPort, connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import pg from 'pg';
import { eventually } from '#local/eventually.js';
import type { StackFile } from '#local/stack-file.js';

/** Every consumer group of the product and what it reads. */
const CONSUMERS: [group: string, topic: string][] = [
  [GROUPS.inventory, TOPICS.inventory],
  [GROUPS.commands, TOPICS.commands],
  [GROUPS.queries, TOPICS.queries],
  [GROUPS.notificationsEvents, TOPICS.transitions],
  [GROUPS.notificationsEvents, TOPICS.users],
  [GROUPS.dashboardEvents, TOPICS.state],
];
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
  const lag = async ([group, topic]: [string, string]) => {
    const [ends, committed] = await Promise.all([admin.offsets(topic), admin.committed(group, topic)]);
    const taken = new Map(committed.map(({ partition, offset }) => [partition, Number(offset)]));
    return ends.reduce((sum, { partition, low, high }) => {
      return sum + Number(high) - Math.max(Number(low), taken.get(partition) ?? 0);
    }, 0);
  };
  const left = async (): Promise<string | null> => {
    // In the order in which work flows: what is done by the first look is in sight of the next.
    for (const [name, pool] of Object.entries({ orders, notifications })) {
      const rows = await pending(pool);
      if (rows > 0) return `${rows} rows in the outbox of ${name}`;
      for (const consumer of CONSUMERS) {
        const records = await lag(consumer);
        if (records > 0) return `${records} records of ${consumer[1]} for ${consumer[0]}`;
      }
    }
    return null;
  };
  return {
    ...{ kafka, orders },
    settled: async () => {
      await eventually(
        'outboxes are empty and no consumer lags',
        async () => {
          const reason = await left();
          if (reason) throw new Error(reason);
          return true;
        },
        { timeoutMs: PATIENCE_MS },
      );
    },
    close: async () => {
      await Promise.all([admin.close(), orders.end(), notifications.end()]);
    },
  };
}
