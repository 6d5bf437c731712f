import type { PurchaseOrderClient, components } from '@po/client';
import { queryOptions } from '@tanstack/react-query';
import { KEYS } from './keys.js';
import { read } from './read.js';

type Schemas = components['schemas'];
export type ApprovalPolicy = Schemas['ApprovalPolicy'];
export type PolicyChange = Schemas['PolicyChange'];
export type PolicyPreview = Schemas['PolicyPreview'];
/** How far a submission may differ and still be approved automatically. */
export type Tolerances = Omit<Schemas['ApprovalPolicyRequest'], 'vendorCode'>;

/** Name, in paths, of the policy for vendors without their own. */
export const DEFAULT_POLICY = 'default';

/** Name of a policy in paths: the vendor code, or the name of the default policy. */
export const nameOf = ({ vendorCode }: Pick<ApprovalPolicy, 'vendorCode'>): string => vendorCode ?? DEFAULT_POLICY;

/** The body of a written policy. Names the vendor, because its code may differ from the name of the default policy only in case. */
export const policyBody = (name: string, tolerances: Tolerances): Schemas['ApprovalPolicyRequest'] => ({
  ...tolerances,
  vendorCode: name === DEFAULT_POLICY ? null : name,
});

/** Recent share of automatic approvals. Its key belongs to the dashboard, which is refreshed when orders change. */
export const approvalsQueryOf = (client: PurchaseOrderClient) =>
  read([...KEYS.dashboard, 'approvals'], (signal) => client.GET('/dashboard/approvals', { signal }));

export const POLICY_KEYS = {
  all: ['approval-policies'],
  list: ['approval-policies', 'list'],
  history: (name: string) => ['approval-policies', 'history', name],
  preview: (name: string, tolerances: Tolerances | null) => ['approval-policies', 'preview', name, tolerances],
} as const;

/** Separate from `queriesOf`, which is in the first load: only the page of the policies needs these. */
export const policyQueriesOf = (client: PurchaseOrderClient) => ({
  /** The default policy first, then those of vendors, sorted by code. */
  list: () => read(POLICY_KEYS.list, (signal) => client.GET('/approval-policies', { signal })),

  history: (name: string) =>
    read(POLICY_KEYS.history(name), (signal) =>
      client.GET('/approval-policies/{name}/history', { params: { path: { name } }, signal }),
    ),

  /** The effect that the policy would have had on the latest submissions; disabled if `tolerances` is null. */
  preview: (name: string, tolerances: Tolerances | null) =>
    queryOptions({
      queryKey: POLICY_KEYS.preview(name, tolerances),
      queryFn: async ({ signal }) => {
        if (tolerances === null) throw new Error('no policy to preview');
        const init = { params: { path: { name } }, body: policyBody(name, tolerances), signal };
        return (await client.POST('/approval-policies/{name}/preview', init)).data;
      },
      enabled: tolerances !== null,
    }),
});
