import type { Migration } from '@po/database';
import { MAIL } from './0001-mail.js';
import { FIRST_FAILURE } from './0002-first-failure.js';
import { ISSUED_AT } from './0003-issued-at.js';
import { SUPPRESSION_DELETIONS } from './0004-suppression-deletions.js';
import { ADDRESS } from './0005-address.js';

/** Every migration of the database `mail`, oldest first. */
export const MIGRATIONS: Migration[] = [MAIL, FIRST_FAILURE, ISSUED_AT, SUPPRESSION_DELETIONS, ADDRESS];
