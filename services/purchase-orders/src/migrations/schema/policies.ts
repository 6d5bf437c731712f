import { OWN_VENDOR, internalRows } from './access.js';

export const APPROVAL_POLICIES = `
-- Every version of every approval policy; the last version of a vendor is in force. Rows are never updated or deleted.
CREATE TABLE approval_policies (
  -- NULL: the default, for vendors without their own policy.
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
-- A vendor's SUBMIT reads the policy in its own transaction; no response to a vendor contains any part of it.
CREATE POLICY vendor ON approval_policies TO po_vendor
  USING (vendor_code IS NULL OR vendor_code = ${OWN_VENDOR});
GRANT SELECT, INSERT ON approval_policies TO po_internal;
GRANT SELECT ON approval_policies TO po_vendor;
`;
