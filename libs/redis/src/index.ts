export * from './breaker.js';
export * from './connection.js';
