// For browsers, which do not load the schema library.
export * from './limits.js';
export * from './orders/statuses.js';
