import type { DatabaseService } from '@po/testing/service-databases';
import type { FaultStack } from './stack.js';

export const databaseOf = ({ stack }: Pick<FaultStack, 'stack'>, name: DatabaseService): string =>
  stack.file().databaseUrls[name];
