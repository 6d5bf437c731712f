import type { Send, Statement } from '@po/database';
import type { PolicyInForce } from '../domain/tolerances.js';
import { LOCKS } from './locks.js';

// A submission runs entirely before or after a policy change: it waits for a change in progress, and the next change waits for it.
const HOLD: Statement = {
  name: 'hold-policies',
  text: `SELECT pg_advisory_xact_lock_shared(${LOCKS.policies}, 0)`,
};
export const LOCK_POLICIES: Statement = {
  name: 'lock-policies',
  text: `SELECT pg_advisory_xact_lock(${LOCKS.policies}, 0)`,
};

const lastVersionOf = (vendor: string) =>
  `(SELECT vendor_code, version, policy FROM approval_policies WHERE vendor_code ${vendor} ORDER BY version DESC LIMIT 1)`;
// Only the vendor's own policy; the default if the vendor has none or it was deleted.
const IN_FORCE: Statement = {
  name: 'policy-in-force',
  text: `SELECT vendor_code AS "vendorCode", version, policy
           FROM (${lastVersionOf('= $1')} UNION ALL ${lastVersionOf('IS NULL')}) AS last
          WHERE policy IS NOT NULL ORDER BY vendor_code NULLS LAST LIMIT 1`,
};

/** The policy for a vendor's submissions, held until the transaction ends; null if there is none. */
export async function lockPolicyInForce(send: Send, vendorCode: string): Promise<PolicyInForce | null> {
  // A separate statement: the snapshot of the one that waits for the lock is older than the change that it waited for.
  void send(HOLD);
  const [policy] = await send<PolicyInForce>(IN_FORCE, [vendorCode]);
  return policy ?? null;
}
