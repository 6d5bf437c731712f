import { Injectable } from '@nestjs/common';
import {
  type ApprovalPolicy,
  DEFAULT_POLICY,
  type PolicyQuery,
  ProblemError,
  type PutPolicy,
  type Tolerances,
} from '@po/contracts';
import type { Send } from '@po/database';
import { type Reply, type RpcContext, created, etagOf, noContent, ok, stalenessOf } from '@po/messaging';
import { executeCommand, idempotencyKeyOf, readNothing } from '../idempotency/command-log.js';
import { Databases } from '../store/databases.js';
import { LOCK_POLICIES } from '../store/policy-in-force.js';
import { ADD, LAST, type PolicyRow, isDefined, policyOf } from './policy-rows.js';

/** Replaces the PO number in the scope of idempotency keys; no PO number has this form. */
const scopeOf = (name: string) => `policy ${name}`;
export const vendorCodeOf = (name: string): string | null => (name === DEFAULT_POLICY ? null : name);

/** The administrators' writes. Each adds a version, in one transaction with its answer. */
@Injectable()
export class ApprovalPoliciesService {
  constructor(private readonly databases: Databases) {}

  /** Creates or replaces a policy. Throws ROLE_NOT_ALLOWED and VERSION_MISMATCH. */
  put({ name, policy }: PutPolicy, context: RpcContext): Promise<Reply<ApprovalPolicy>> {
    const { vendorCode: _vendorCode, ...tolerances } = policy;
    return this.change(context, name, policy, async (send, last) => {
      const exists = isDefined(last);
      const stale = stalenessOf(context.ifMatch, exists ? last.version : 0, exists);
      if (stale) throw stale;
      const answer = policyOf(await addVersion(send, name, last, tolerances, context));
      const headers = { etag: etagOf(answer.version) };
      return isDefined(last) ? ok(answer, headers) : created(context.path, answer, headers);
    });
  }

  /** Throws ROLE_NOT_ALLOWED, POLICY_NOT_FOUND and VERSION_MISMATCH. */
  delete({ name }: PolicyQuery, context: RpcContext): Promise<Reply<never>> {
    return this.change(context, name, {}, async (send, last) => {
      if (!isDefined(last)) throw new ProblemError('POLICY_NOT_FOUND');
      const stale = stalenessOf(context.ifMatch, last.version);
      if (stale) throw stale;
      await addVersion(send, name, last, null, context);
      return noContent();
    });
  }

  /** `decide` gets the last version, which no other transaction can change until this one ends. */
  private async change<Body>(
    context: RpcContext,
    name: string,
    body: object,
    decide: (send: Send, last: PolicyRow | undefined) => Promise<Reply<Body>>,
  ): Promise<Reply<Body>> {
    if (context.actor.role !== 'ADMIN') throw new ProblemError('ROLE_NOT_ALLOWED');
    const key = idempotencyKeyOf(context, scopeOf(name), body);
    const { reply } = await executeCommand(this.databases.accessOf(context.actor), key, readNothing, async (send) => {
      void send(LOCK_POLICIES);
      const [last] = await send<PolicyRow>(LAST, [vendorCodeOf(name)]);
      return { reply: await decide(send, last) };
    });
    return reply;
  }
}

async function addVersion<Policy extends Tolerances | null>(
  send: Send,
  name: string,
  last: PolicyRow | undefined,
  policy: Policy,
  { actor }: RpcContext,
): Promise<PolicyRow & { policy: Policy }> {
  const version = (last?.version ?? 0) + 1;
  const json = policy && JSON.stringify(policy);
  const [row] = await send<PolicyRow>(ADD, [vendorCodeOf(name), version, json, actor.sub, actor.name]);
  return { ...(row as PolicyRow), policy };
}
