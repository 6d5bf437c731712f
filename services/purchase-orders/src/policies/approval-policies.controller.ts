import { Controller } from '@nestjs/common';
import {
  type ApprovalPolicy,
  type NoParameters,
  PATTERNS,
  type PolicyChange,
  type PolicyPreview,
  type PolicyQuery,
  type PutPolicy,
} from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext } from '@po/messaging';
import { ApprovalPoliciesQueries } from './approval-policies.queries.js';
import { ApprovalPoliciesService } from './approval-policies.service.js';

@Controller()
export class ApprovalPoliciesController {
  constructor(
    private readonly policies: ApprovalPoliciesService,
    private readonly queries: ApprovalPoliciesQueries,
  ) {}

  @RequestPattern(PATTERNS.policies)
  list(_query: NoParameters, context: RpcContext): Promise<Reply<ApprovalPolicy[]>> {
    return this.queries.list(context);
  }

  @RequestPattern(PATTERNS.policyHistory)
  history(query: PolicyQuery, context: RpcContext): Promise<Reply<PolicyChange[]>> {
    return this.queries.history(query, context);
  }

  @RequestPattern(PATTERNS.previewPolicy)
  preview(query: PutPolicy, context: RpcContext): Promise<Reply<PolicyPreview>> {
    return this.queries.preview(query, context);
  }

  @RequestPattern(PATTERNS.putPolicy)
  put(command: PutPolicy, context: RpcContext): Promise<Reply<ApprovalPolicy>> {
    return this.policies.put(command, context);
  }

  @RequestPattern(PATTERNS.deletePolicy)
  delete(command: PolicyQuery, context: RpcContext): Promise<Reply<never>> {
    return this.policies.delete(command, context);
  }
}
