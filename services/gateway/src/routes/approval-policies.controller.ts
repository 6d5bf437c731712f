import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../http/route-table.js';
import { approvalPolicies } from './approval-policies.operations.js';
import { Route } from './route.js';
import { Upstream } from './upstream.js';

@Controller(API_ROOT)
export class ApprovalPoliciesController {
  constructor(private readonly upstream: Upstream) {}

  @Route(approvalPolicies.listApprovalPolicies)
  listApprovalPolicies(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(approvalPolicies.listApprovalPolicies, request, reply);
  }

  @Route(approvalPolicies.replaceApprovalPolicy)
  replaceApprovalPolicy(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(approvalPolicies.replaceApprovalPolicy, request, reply);
  }

  @Route(approvalPolicies.deleteApprovalPolicy)
  deleteApprovalPolicy(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(approvalPolicies.deleteApprovalPolicy, request, reply);
  }

  @Route(approvalPolicies.getApprovalPolicyHistory)
  getApprovalPolicyHistory(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(approvalPolicies.getApprovalPolicyHistory, request, reply);
  }

  @Route(approvalPolicies.previewApprovalPolicy)
  previewApprovalPolicy(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(approvalPolicies.previewApprovalPolicy, request, reply);
  }
}
