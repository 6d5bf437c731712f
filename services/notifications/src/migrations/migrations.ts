import type { Migration } from '@po/database';
import { CREATE_SCHEMA } from './0001-create-schema.js';
import { DELETE_INBOXES } from './0002-delete-inboxes.js';
import { ISSUED_AT } from './0003-issued-at.js';
import { VIEW_COMMANDS } from './0004-view-commands.js';
import { ANSWERED_COMMANDS } from './0005-answered-commands.js';
import { DELETION_ANSWERS } from './0006-deletion-answers.js';

/** Every migration of the database `notifications`, oldest first. */
export const MIGRATIONS: Migration[] = [
  CREATE_SCHEMA,
  DELETE_INBOXES,
  ISSUED_AT,
  VIEW_COMMANDS,
  ANSWERED_COMMANDS,
  DELETION_ANSWERS,
];
