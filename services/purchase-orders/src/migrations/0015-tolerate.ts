import { type Migration, createIndexConcurrently, migrationAlone } from '@po/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- Every version of every approval policy; the last one of a vendor is in force. Never updated, never deleted.
CREATE TABLE approval_policies (
  -- NULL: the default, for vendors without an own policy.
  vendor_code text,
  version integer NOT NULL,
  -- NULL: deleted.
  policy json,
  changed_by_id text NOT NULL,
  changed_by_name text,
  changed_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (vendor_code, version)
);
ALTER TABLE approval_policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE approval_policies FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON approval_policies TO po_internal USING (true) WITH CHECK (true);
-- A vendor's SUBMIT asks for the policy in its own transaction; no answer to a vendor holds anything of it.
CREATE POLICY vendor ON approval_policies TO po_vendor
  USING (vendor_code IS NULL OR vendor_code = NULLIF(current_setting('app.vendor', true), ''));
GRANT SELECT, INSERT ON approval_policies TO po_internal;
GRANT SELECT ON approval_policies TO po_vendor;

-- Of a SUBMIT: what policies are asked for. NULL in entries of the version before.
ALTER TABLE history ADD COLUMN submission json;
`;

class AddApprovalPolicies1795500000040 implements MigrationInterface {
  readonly name = 'AddApprovalPolicies1795500000040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}

export const TOLERANCES: Migration[] = [
  AddApprovalPolicies1795500000040,
  // What a preview evaluates, and the approvals of the last days; a dashboard counts these in the index alone.
  migrationAlone('IndexSubmissionsAndApprovals1795500000041', (runner) =>
    createIndexConcurrently(
      runner,
      'history_submissions_and_approvals',
      `history (action, occurred_at DESC) INCLUDE (vendor_code, actor_role, id) WHERE action IN ('SUBMIT', 'APPROVE')`,
    ),
  ),
];
