export * from './csv/records.js';
export * from './csv/text.js';
export * from './labels.js';
export * from './decimal-points.js';
export * from './rows.js';
export * from './unreadable.js';
export { MAX_TEXTS } from './xlsx/texts.js';
export * from './xlsx/workbook.js';
