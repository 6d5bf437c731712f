import { counterFromZero } from '@po/platform';
import { Counter } from 'prom-client';

export const jwtVerifications = new Counter({
  name: 'jwt_verifications_total',
  help: 'User tokens checked, by result',
  labelNames: ['result'],
});

export const jwksRefreshes = counterFromZero('jwks_refresh_total', 'Fetches of the key set, by result', {
  result: ['success', 'failure'],
});
