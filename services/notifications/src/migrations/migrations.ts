import type { Migration } from '@po/database';
import { CreateSchema1796000000000 } from './0001-create-schema.js';

/** Every migration of the database `notifications`, oldest first. */
export const MIGRATIONS: Migration[] = [CreateSchema1796000000000];
