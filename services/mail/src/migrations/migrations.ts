import type { Migration } from '@po/database';
import { Mail1795100000000 } from './0001-mail.js';
import { FirstFailure1795200000000 } from './0002-first-failure.js';
import { ISSUED_AT } from './0003-issued-at.js';

/** Every migration of the database `mail`, oldest first. */
export const MIGRATIONS: Migration[] = [Mail1795100000000, FirstFailure1795200000000, ISSUED_AT];
