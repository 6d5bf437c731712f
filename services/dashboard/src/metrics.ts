import { Counter, Gauge } from 'prom-client';

export const redisUp = new Gauge({ name: 'redis_up', help: '1 while Redis answers in time, else 0' });
export const projectionGeneration = new Gauge({
  name: 'projection_generation',
  help: 'The generation that answers; epoch milliseconds of the start of its rebuild. 0: none, orders are asked instead',
});
export const duplicates = new Counter({
  name: 'inbox_duplicates_total',
  help: 'Events dropped because this or a newer version of their order was counted already',
});
export const fallbacks = new Counter({
  name: 'dashboard_fallback_total',
  help: 'Requests answered by the purchase-order service because Redis could not',
});
export const rebuilds = new Counter({
  name: 'projection_rebuilds_total',
  help: 'Rebuilds of the projection this process ran',
  labelNames: ['outcome'],
});
