export * from './breaker.js';
export * from './connection.js';
export * from './user-hash.js';
export * from './script-span.js';
