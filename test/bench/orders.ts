import { TOPICS } from '@po/contracts';
import type { KafkaPort } from '@po/messaging';

/** Orders that requests are made for; imports that are measured come on top. */
export const LOADED_ORDERS = 256;
export const CELLS = 12;

const PER_SEND = 250;

export const poNumber = (index: number): string => `BENCH-${String(index).padStart(5, '0')}`;

function order(index: number) {
  return {
    poNumber: poNumber(index),
    sourceRevision: 1,
    poDate: '2026-01-05',
    xfd: '2027-03-01',
    vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' },
    currency: 'USD',
    lines: Array.from({ length: CELLS }, (_, cell) => ({
      ...{ lineId: String(cell + 1), code: `TS-${cell % 3}`, style: 'TS', color: `C${cell % 3}` },
      ...{ size: String(28 + 2 * Math.floor(cell / 3)), qty: 10 + cell, unitPrice: 12.5 },
    })),
  };
}

/** Sends orders `first` to `first + count - 1` to the inventory topic; resolves when the broker has them. */
export async function produceOrders(kafka: KafkaPort, first: number, count: number): Promise<void> {
  const producer = kafka.producer({ acks: 'all' });
  await producer.connect();
  for (let done = 0; done < count; done += PER_SEND) {
    const part = Array.from({ length: Math.min(PER_SEND, count - done) }, (_, index) => first + done + index);
    await producer.send(
      part.map((index) => ({
        topic: TOPICS.inventory,
        key: poNumber(index),
        value: JSON.stringify(order(index)),
        headers: { type: 'purchase-order.upserted' },
      })),
    );
  }
  await producer.disconnect();
}
