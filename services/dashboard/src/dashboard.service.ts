import { Injectable } from '@nestjs/common';
import type { EventContext } from '@po/messaging';
import { Breaker } from '@po/redis';
import { Counter } from 'prom-client';
import { Counters } from './projection/counters.js';
import type { OrderState } from './projection/order-state.js';

const duplicates = new Counter({
  name: 'inbox_duplicates_total',
  help: 'Events dropped because they were duplicates or out of date',
});

@Injectable()
export class DashboardService {
  constructor(
    private readonly counters: Counters,
    private readonly breaker: Breaker,
  ) {}

  /** Counts an order's new state. Rejects until Redis has stored it, so that the event is retried. */
  async stateChanged(order: OrderState, { topic, partition, offset }: EventContext): Promise<void> {
    const position = { partition: `${topic}/${partition}`, offset };
    const outcome = await this.breaker.run(() => this.counters.apply(position, order));
    switch (outcome) {
      case 'applied':
        return;
      case 'duplicate':
        duplicates.inc();
        return;
      case 'no-generation':
        throw new Error('there is no projection until the rebuild is finished');
      case 'records-lost':
        throw new Error('Redis lost confirmed records; the projection will be rebuilt');
      default:
        throw new Error(`unknown outcome ${String(outcome satisfies never)}`);
    }
  }
}
