import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CHOICES } from './schema/choices.js';
import { COUNTS } from './schema/counts.js';
import { INBOX } from './schema/inbox.js';

const GRANTS = `
GRANT USAGE ON SCHEMA public TO notifications_internal, notifications_user;
GRANT SELECT ON migrations TO notifications_internal;
`;

export class CreateSchema1796000000000 implements MigrationInterface {
  readonly name = 'CreateSchema1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const area of [GRANTS, INBOX, COUNTS, CHOICES]) await runner.query(area);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
