import type { Send, Statement } from '@po/database';
import type { PolicyInForce } from '../domain/tolerances.js';

/** Held shared by transactions that ask for a policy, exclusively by one that changes any. */
const POLICIES_LOCK = 13;

// A submission comes before a change of policies or after it, as a whole: it waits for one that is under way, and the next one waits for it.
const HOLD: Statement = {
  name: 'hold-policies',
  text: `SELECT pg_advisory_xact_lock_shared(${POLICIES_LOCK}, 0)`,
};
export const LOCK_POLICIES: Statement = {
  name: 'lock-policies',
  text: `SELECT pg_advisory_xact_lock(${POLICIES_LOCK}, 0)`,
};

const lastVersionOf = (vendor: string) =>
  `(SELECT vendor_code, version, policy FROM approval_policies WHERE vendor_code ${vendor} ORDER BY version DESC LIMIT 1)`;
// The vendor's own policy alone, unless it was deleted; then the default.
const IN_FORCE: Statement = {
  name: 'policy-in-force',
  text: `SELECT vendor_code AS "vendorCode", version, policy
           FROM (${lastVersionOf('= $1')} UNION ALL ${lastVersionOf('IS NULL')}) AS last
          WHERE policy IS NOT NULL ORDER BY vendor_code NULLS LAST LIMIT 1`,
};

/** The policy that a vendor's submissions are asked of, held until the transaction ends; null: none. */
export async function holdPolicyInForce(send: Send, vendorCode: string): Promise<PolicyInForce | null> {
  // Not in one statement: its snapshot would be older than the change that it waited for.
  void send(HOLD);
  const [policy] = await send<PolicyInForce>(IN_FORCE, [vendorCode]);
  return policy ?? null;
}
