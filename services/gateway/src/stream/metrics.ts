import { Counter, Gauge } from 'prom-client';

export const streamsOpen = new Gauge({ name: 'live_streams_open', help: 'Live streams that clients have open' });

export const streamsEnded = new Counter({
  name: 'live_streams_ended_total',
  help: 'Live streams that ended; reason: client (it disconnected), slow (it did not read), token-expired, token-refused (key withdrawn), identity-changed (role or vendor), renewed (after 15 minutes), shutdown',
  labelNames: ['reason'],
});

export const streamsRefused = new Counter({
  name: 'live_streams_refused_total',
  help: 'Live streams refused because the user had too many',
});
