import type { Migration } from '@po/database';
import { CREATE_SCHEMA } from './0001-create-schema.js';

/** In the order they are applied. One that was released never changes. */
export const MIGRATIONS: Migration[] = [CREATE_SCHEMA];
