import type { ApprovalPolicy, PolicyChange, Tolerances } from '@po/contracts';
import type { Statement } from '@po/database';

/** One version of a policy. */
export interface PolicyRow {
  vendorCode: string | null;
  version: number;
  /** Null: deleted. */
  policy: Tolerances | null;
  changedById: string;
  changedByName: string | null;
  changedAt: Date;
}

/** A version that is not a deletion. */
type Defined = PolicyRow & { policy: Tolerances };

const COLUMNS = `vendor_code AS "vendorCode", version, policy, changed_by_id AS "changedById", changed_by_name AS "changedByName",
  changed_at AS "changedAt"`;

/** The policies in force: the default first, then vendors by code. Returns Defined[]. */
export const LIST: Statement = {
  name: 'policies-list',
  text: `SELECT * FROM (SELECT DISTINCT ON (vendor_code) ${COLUMNS} FROM approval_policies ORDER BY vendor_code, version DESC) AS last
          WHERE policy IS NOT NULL ORDER BY "vendorCode" COLLATE "C" NULLS FIRST`,
};
const VERSIONS = `SELECT ${COLUMNS} FROM approval_policies WHERE vendor_code IS NOT DISTINCT FROM $1 ORDER BY version DESC`;
/** All versions of the policy of vendor $1, newest first. Returns PolicyRow[]. */
export const HISTORY: Statement = { name: 'policies-history', text: VERSIONS };
/** The newest version of the policy of vendor $1. */
export const LAST: Statement = { name: 'policies-last', text: `${VERSIONS} LIMIT 1` };
/** $1: vendor code, $2: version, $3: policy, $4 and $5: id and name of the author. Returns PolicyRow. */
export const ADD: Statement = {
  name: 'policies-add',
  text: `INSERT INTO approval_policies (vendor_code, version, policy, changed_by_id, changed_by_name, changed_at)
         VALUES ($1, $2, $3, $4, $5, date_trunc('milliseconds', clock_timestamp())) RETURNING ${COLUMNS}`,
  rows: 1,
};

export const isDefined = (row: PolicyRow | undefined): row is Defined => row !== undefined && row.policy !== null;

const authorOf = ({ changedById: userId, changedByName: name }: PolicyRow) => ({ userId, name });

export function policyOf(row: Defined): ApprovalPolicy {
  const { vendorCode, version, policy, changedAt } = row;
  return { vendorCode, ...policy, version, updatedBy: authorOf(row), updatedAt: changedAt.toISOString() };
}

export function changeOf(row: PolicyRow): PolicyChange {
  const { vendorCode, version, policy, changedAt } = row;
  return {
    version,
    policy: policy && { vendorCode, ...policy },
    changedBy: authorOf(row),
    changedAt: changedAt.toISOString(),
  };
}
