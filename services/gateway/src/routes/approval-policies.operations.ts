import { ApprovalPolicyRequest, DEFAULT_POLICY, PATTERNS, type PutPolicy, PolicyName, invalid } from '@po/contracts';
import type { PathParameter } from '../http/parameters.js';
import { proxied } from './operation.js';

const name: PathParameter = { schema: PolicyName, refusal: 'POLICY_NOT_FOUND' };

/** Throws VALIDATION_FAILED if the body names another vendor than the path. */
function sameAsPath({ params, body }: { params: { name: string }; body: ApprovalPolicyRequest }): PutPolicy {
  const vendorCode = params.name === DEFAULT_POLICY ? null : params.name;
  if (body.vendorCode !== undefined && body.vendorCode !== vendorCode) {
    const expected = vendorCode === null ? 'null' : 'the vendor code of the path';
    const expectedZh = vendorCode === null ? '必须为 null' : '必须与路径中的供应商代码一致';
    const message = { en: `must be ${expected}, or left out`, zh: `${expectedZh}，或者省略` };
    throw invalid([{ in: 'body', pointer: '/vendorCode', code: 'OTHER_VENDOR', message }]);
  }
  return { name: params.name, policy: body };
}

export const approvalPolicies = {
  listApprovalPolicies: proxied({
    tag: 'Approval policies',
    summary: 'The approval policies: the default first, then those of vendors by their code.',
    description: [
      'For internal roles; a vendor never learns a limit. A policy of a vendor decides alone, also when it is disabled; the default applies',
      'to vendors without one. Without any, nothing is approved automatically.',
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
      'For administrators. It holds for submissions from then on, and may come before the first order of the vendor. A submission is approved',
      'when every difference from what was agreed, or ordered where nothing is agreed yet, is within it; a limit itself is within. No',
      'difference at all is within every enabled policy. An order that the inventory system changed after production began is never approved.',
      'An automatic approval is an agreement too: a vendor who takes orders back and submits again adds up what a policy allows each time.',
      '`maxAmount` bounds it. Answers 201 when there was none, also after a deletion.',
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
      'For administrators. The default applies to the vendor from then on. Its history stays, and its versions go on counting.',
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
    summary: 'All versions of an approval policy, the newest first.',
    description: 'For internal roles. A deletion is a version without a policy.',
    method: 'GET',
    path: '/approval-policies/:name/history',
    params: { name },
    pattern: PATTERNS.policyHistory,
    payload: ({ params }) => params,
  }),

  previewApprovalPolicy: proxied({
    tag: 'Approval policies',
    summary: 'What a policy would have made of the latest submissions. Changes nothing.',
    description: [
      'For administrators. Asks the policy for up to 200 submissions: those of the vendor; for the default those of all vendors that have no',
      'policy of their own. `enabled` makes no difference here.',
    ].join('\n'),
    method: 'POST',
    path: '/approval-policies/:name/preview',
    params: { name },
    body: ApprovalPolicyRequest,
    pattern: PATTERNS.previewPolicy,
    payload: sameAsPath,
  }),
};
