import { Counter } from 'prom-client';

export const jwtVerifications = new Counter({
  name: 'jwt_verifications_total',
  help: 'User tokens checked, by result',
  labelNames: ['result'],
});

export const jwksRefreshes = new Counter({
  name: 'jwks_refresh_total',
  help: 'Fetches of the key set, by result',
  labelNames: ['result'],
});
