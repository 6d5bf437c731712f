import { OWN_VENDOR, internalRows } from './access.js';

export const APPROVAL_POLICIES = `
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
${internalRows('approval_policies')}
-- A vendor's SUBMIT asks for the policy in its own transaction; no answer to a vendor holds anything of it.
CREATE POLICY vendor ON approval_policies TO po_vendor
  USING (vendor_code IS NULL OR vendor_code = ${OWN_VENDOR});
GRANT SELECT, INSERT ON approval_policies TO po_internal;
GRANT SELECT ON approval_policies TO po_vendor;
`;
