import type { Migration } from '@po/database';
import { CREATE_SCHEMA } from './0001-create-schema.js';
import { ISSUED_AT } from './0002-issued-at.js';
import { LAST_MESSAGE } from './0003-last-message.js';
import { CASE_FOLDING } from './0004-case-folding.js';

/** Migrations in the order in which they are applied. A released migration never changes. */
export const MIGRATIONS: Migration[] = [CREATE_SCHEMA, ISSUED_AT, LAST_MESSAGE, CASE_FOLDING];
