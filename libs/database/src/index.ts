export * from './batch-job.js';
export * from './columns.js';
export * from './concurrently.js';
export * from './database.js';
export { migration } from './migration.js';
export * from './migration-job.js';
export * from './migrations.js';
export * from './pipelined.js';
export { refuseBypass } from './row-security.js';
