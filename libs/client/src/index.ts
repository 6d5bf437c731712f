export type { components, operations, paths } from './api.js';
export * from './client.js';
export * from './problem.js';
export { type RetryOptions, pause } from './retry.js';
export type { StreamEvent, StreamOptions } from './stream.js';
