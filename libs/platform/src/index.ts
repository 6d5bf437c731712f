export * from './actor-token.js';
export { pauseOf, retry } from './back-off.js';
export * from './config.js';
export * from './dependency.js';
export * from './health.js';
export * from './logger.js';
export * from './run-service.js';
export * from './shutdown.js';
export * from './telemetry.js';
