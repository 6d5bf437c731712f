import type { Migration } from '@po/database';
import { CreateSchema1796000000000 } from './0001-create-schema.js';

/** In the order they are applied. One that was released never changes. */
export const MIGRATIONS: Migration[] = [CreateSchema1796000000000];
