import { Injectable } from '@nestjs/common';
import {
  type ApprovalPolicy,
  type PolicyChange,
  type PolicyPreview,
  type PolicyQuery,
  ProblemError,
  type PutPolicy,
} from '@po/contracts';
import type { Statement } from '@po/database';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { type Deviation, isWithin } from '../domain/tolerances.js';
import { Databases } from '../store/databases.js';
import { vendorCodeOf } from './approval-policies.service.js';
import { HISTORY, LIST, type PolicyRow, changeOf, isDefined, policyOf } from './policy-rows.js';

const PREVIEWED = 200;

/** A past submission, and what followed it. */
interface PastSubmission {
  submission: Deviation;
  /** The first of these actions after the submission; null if there is none. */
  next: 'SUBMIT' | 'RECALL' | 'REJECT' | null;
}

const pastSubmissions = (chosen: string) => `
  SELECT h.submission,
         (SELECT n.action FROM history n
           WHERE n.order_id = h.order_id AND n.sequence > h.sequence AND n.action IN ('SUBMIT', 'RECALL', 'REJECT')
           ORDER BY n.sequence LIMIT 1) AS next
    FROM (${chosen} ORDER BY occurred_at DESC, id DESC LIMIT ${PREVIEWED}) AS h`;
// Uses the index of a vendor's status changes, many of which are submissions.
const VENDOR_SUBMISSIONS: Statement = {
  name: 'policies-preview-vendor',
  text: pastSubmissions(`SELECT order_id, sequence, submission FROM history
     WHERE vendor_code = $1 AND from_status_id <> to_status_id AND action = 'SUBMIT'`),
};
// The inner query reads only the index, because vendors with their own policies may have most submissions.
const DEFAULT_SUBMISSIONS: Statement = {
  name: 'policies-preview-default',
  text: pastSubmissions(`SELECT order_id, sequence, submission FROM history
     WHERE id IN (
       SELECT id FROM history WHERE action = 'SUBMIT' AND NOT EXISTS (
         SELECT 1 FROM (SELECT DISTINCT ON (vendor_code) vendor_code, policy FROM approval_policies
                         WHERE vendor_code IS NOT NULL ORDER BY vendor_code, version DESC) AS own
          WHERE own.vendor_code = history.vendor_code AND own.policy IS NOT NULL)
       ORDER BY occurred_at DESC, id DESC LIMIT ${PREVIEWED})`),
};

/** Reads for internal users. A vendor must never learn a limit, nor whether there is one. */
@Injectable()
export class ApprovalPoliciesQueries {
  constructor(private readonly databases: Databases) {}

  async list({ actor }: RpcContext): Promise<Reply<ApprovalPolicy[]>> {
    if (actor.role === 'VENDOR') throw new ProblemError('ROLE_NOT_ALLOWED');
    const rows = await this.databases.internal.read<PolicyRow>(null, LIST);
    return ok(rows.filter(isDefined).map(policyOf));
  }

  /** Throws POLICY_NOT_FOUND if the policy never existed. */
  async history({ name }: PolicyQuery, { actor }: RpcContext): Promise<Reply<PolicyChange[]>> {
    if (actor.role === 'VENDOR') throw new ProblemError('ROLE_NOT_ALLOWED');
    const rows = await this.databases.internal.read<PolicyRow>(null, HISTORY, [vendorCodeOf(name)]);
    if (rows.length === 0) throw new ProblemError('POLICY_NOT_FOUND');
    return ok(rows.map(changeOf));
  }

  async preview({ name, policy }: PutPolicy, { actor }: RpcContext): Promise<Reply<PolicyPreview>> {
    if (actor.role !== 'ADMIN') throw new ProblemError('ROLE_NOT_ALLOWED');
    const vendorCode = vendorCodeOf(name);
    const { internal } = this.databases;
    const submissions = await (vendorCode === null
      ? internal.read<PastSubmission>(null, DEFAULT_SUBMISSIONS)
      : internal.read<PastSubmission>(null, VENDOR_SUBMISSIONS, [vendorCode]));
    const approved = submissions.filter(({ submission }) => isWithin(submission, policy));
    return ok({
      submissions: submissions.length,
      approved: approved.length,
      recalled: approved.filter(({ next }) => next === 'RECALL' || next === 'REJECT').length,
    });
  }
}
