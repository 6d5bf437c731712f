import type { Migration } from '@po/database';
import { MAIL } from './0001-mail.js';
import { FIRST_FAILURE } from './0002-first-failure.js';
import { ISSUED_AT } from './0003-issued-at.js';

/** Every migration of the database `mail`, oldest first. */
export const MIGRATIONS: Migration[] = [MAIL, FIRST_FAILURE, ISSUED_AT];
