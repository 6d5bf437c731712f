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
import { Answers, type Reply, type RpcContext } from '@po/messaging';
import { ApprovalPoliciesQueries } from './approval-policies.queries.js';
import { ApprovalPoliciesService } from './approval-policies.service.js';

@Controller()
export class ApprovalPoliciesController {
  constructor(
    private readonly policies: ApprovalPoliciesService,
    private readonly queries: ApprovalPoliciesQueries,
  ) {}

  @Answers(PATTERNS.policies)
  list(_query: NoParameters, context: RpcContext): Promise<Reply<ApprovalPolicy[]>> {
    return this.queries.list(context);
  }

  @Answers(PATTERNS.policyHistory)
  history(query: PolicyQuery, context: RpcContext): Promise<Reply<PolicyChange[]>> {
    return this.queries.history(query, context);
  }

  @Answers(PATTERNS.previewPolicy)
  preview(query: PutPolicy, context: RpcContext): Promise<Reply<PolicyPreview>> {
    return this.queries.preview(query, context);
  }

  @Answers(PATTERNS.putPolicy)
  put(command: PutPolicy, context: RpcContext): Promise<Reply<ApprovalPolicy>> {
    return this.policies.put(command, context);
  }

  @Answers(PATTERNS.deletePolicy)
  delete(command: PolicyQuery, context: RpcContext): Promise<Reply<never>> {
    return this.policies.delete(command, context);
  }
}
