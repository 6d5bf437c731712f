import {
  ApprovalPolicyRequest,
  DEFAULT_POLICY,
  PATTERNS,
  type PutPolicy,
  PolicyName,
  WrittenPolicy,
  invalid,
  validate,
} from '@po/contracts';
import type { PathParameter } from '../http/parameters.js';
import { proxied } from './operation.js';

const name: PathParameter = { schema: PolicyName, refusal: 'POLICY_NOT_FOUND' };

const RESERVED_NAME = {
  en: 'is reserved, unless vendorCode in the body is the same',
  zh: '此名称已保留，除非请求正文中的 vendorCode 与其相同',
};

/** Throws VALIDATION_FAILED if the path has a name that no vendor has or that may be meant as `default`, or the body names another vendor. */
function sameAsPath({ params, body }: { params: { name: string }; body: ApprovalPolicyRequest }): PutPolicy {
  validate(WrittenPolicy, params, 'path');
  const vendorCode = params.name === DEFAULT_POLICY ? null : params.name;
  if (body.vendorCode !== undefined && body.vendorCode !== vendorCode) {
    const expected = vendorCode === null ? 'null' : 'the vendor code of the path';
    const expectedZh = vendorCode === null ? '必须为 null' : '必须与路径中的供应商代码一致';
    const message = { en: `must be ${expected}, or left out`, zh: `${expectedZh}，或者省略` };
    throw invalid([{ in: 'body', pointer: '/vendorCode', code: 'OTHER_VENDOR', message }]);
  }
  if (body.vendorCode === undefined && vendorCode?.toLowerCase() === DEFAULT_POLICY)
    throw invalid([{ in: 'path', pointer: '/name', code: 'RESERVED_NAME', message: RESERVED_NAME }]);
  return { name: params.name, policy: body };
}

export const approvalPolicies = {
  listApprovalPolicies: proxied({
    tag: 'Approval policies',
    summary: 'The approval policies: the default first, then those of vendors by code.',
    description: [
      "For internal roles. A vendor's own policy replaces the default, even if it is disabled; the default applies to vendors without their",
      'own. Without any policy, nothing is approved automatically. A vendor cannot read a limit, but can find it out by several submissions.',
    ].join('\n'),
    method: 'GET',
    path: '/approval-policies',
    pattern: PATTERNS.policies,
    payload: () => ({}),
  }),

  replaceApprovalPolicy: proxied({
    tag: 'Approval policies',
    summary: 'Creates or replaces the approval policy of a vendor, or the default.',
    description: [
      'For administrators. Applies to later submissions, and may be created before the first order of the vendor. A submission is approved',
      'if every difference from the agreed values, or from the original ones if nothing is agreed yet, is at most the limit. Every enabled',
      'policy approves a submission without differences. An order that the inventory system changed after production began is never approved.',
      'An automatic approval is an agreement, too: by recalling and submitting an order repeatedly, a vendor can use the tolerances again each',
      'time, without a limit for days and decreases. Only `maxAmount` limits the total, and only that of the amount. Returns 201 if there was',
      'no policy, also after a deletion.',
    ].join('\n'),
    method: 'PUT',
    path: '/approval-policies/:name',
    params: { name },
    body: ApprovalPolicyRequest,
    conditions: 'write',
    statuses: [200, 201],
    pattern: PATTERNS.putPolicy,
    orderedBy: 'name',
    payload: sameAsPath,
  }),

  deleteApprovalPolicy: proxied({
    tag: 'Approval policies',
    summary: 'Deletes the approval policy of a vendor, or the default.',
    description:
      'For administrators. The default then applies to the vendor. The history stays, and a new policy continues its version numbers.',
    method: 'DELETE',
    path: '/approval-policies/:name',
    params: { name },
    conditions: 'write',
    pattern: PATTERNS.deletePolicy,
    orderedBy: 'name',
    payload: ({ params }) => params,
  }),

  getApprovalPolicyHistory: proxied({
    tag: 'Approval policies',
    summary: 'All versions of an approval policy, newest first.',
    description: 'For internal roles. A deletion is a version without a policy.',
    method: 'GET',
    path: '/approval-policies/:name/history',
    params: { name },
    pattern: PATTERNS.policyHistory,
    payload: ({ params }) => params,
  }),

  previewApprovalPolicy: proxied({
    tag: 'Approval policies',
    summary: 'What a policy would have decided about the latest submissions. Changes nothing.',
    description: [
      'For administrators. Evaluates up to 200 submissions: those of the vendor, or for the default those of all vendors without a policy of',
      'their own. `enabled` makes no difference here.',
    ].join('\n'),
    method: 'POST',
    path: '/approval-policies/:name/preview',
    params: { name },
    body: ApprovalPolicyRequest,
    pattern: PATTERNS.previewPolicy,
    payload: sameAsPath,
  }),
};
