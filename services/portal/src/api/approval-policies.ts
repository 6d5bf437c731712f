import type { PurchaseOrderClient, components } from '@po/client';
import { queryOptions } from '@tanstack/react-query';
import { KEYS } from './keys.js';
import { read } from './read.js';
import { onVersion } from './writes.js';

type Schemas = components['schemas'];
export type ApprovalPolicy = Schemas['ApprovalPolicy'];
export type PolicyChange = Schemas['PolicyChange'];
export type PolicyPreview = Schemas['PolicyPreview'];
/** What a submission may differ in, to be approved at once. */
export type Tolerances = Omit<Schemas['ApprovalPolicyRequest'], 'vendorCode'>;

/** What stands for the policy of vendors without an own one, in paths. */
export const DEFAULT_POLICY = 'default';

/** A policy in paths: the code of its vendor, or what stands for the default. */
export const nameOf = ({ vendorCode }: Pick<ApprovalPolicy, 'vendorCode'>): string => vendorCode ?? DEFAULT_POLICY;

/** How many approvals were automatic of late. Named as a part of the dashboard, which is refreshed as orders move. */
export const approvalsQueryOf = (client: PurchaseOrderClient) =>
  read([...KEYS.dashboard, 'approvals'], (signal) => client.GET('/dashboard/approvals', { signal }));

export const POLICY_KEYS = {
  all: ['approval-policies'],
  list: ['approval-policies', 'list'],
  history: (name: string) => ['approval-policies', 'history', name],
  preview: (name: string, tolerances: Tolerances | null) => ['approval-policies', 'preview', name, tolerances],
} as const;

/** Apart from `queriesOf`, which is in the first load: only the page of the policies asks these. */
export const policyQueriesOf = (client: PurchaseOrderClient) => ({
  /** The default first, then those of vendors by their code. */
  list: () => read(POLICY_KEYS.list, (signal) => client.GET('/approval-policies', { signal })),

  history: (name: string) =>
    read(POLICY_KEYS.history(name), (signal) =>
      client.GET('/approval-policies/{name}/history', { params: { path: { name } }, signal }),
    ),

  /** What the policy would have made of the latest submissions; nothing is asked without a policy. */
  preview: (name: string, tolerances: Tolerances | null) =>
    queryOptions({
      queryKey: POLICY_KEYS.preview(name, tolerances),
      queryFn: async ({ signal }) => {
        if (tolerances === null) throw new Error('no policy to preview');
        const init = { params: { path: { name } }, body: tolerances, signal };
        return (await client.POST('/approval-policies/{name}/preview', init)).data;
      },
      enabled: tolerances !== null,
    }),
});

/** Version 0: there is none yet. Refused with 412 where somebody else was faster. */
export const policyWritesOf = (client: PurchaseOrderClient) => ({
  replace: async (name: string, version: number, tolerances: Tolerances): Promise<ApprovalPolicy> =>
    (
      await client.PUT('/approval-policies/{name}', {
        params: { path: { name } },
        headers: onVersion(version),
        body: tolerances,
      })
    ).data,

  delete: async (name: string, version: number): Promise<void> => {
    await client.DELETE('/approval-policies/{name}', { params: { path: { name } }, headers: onVersion(version) });
  },
});
