import { Controller, Req, Res } from '@nestjs/common';
import { PATTERNS } from '@po/contracts';
import { endsWithin } from '@po/platform';
import { userHash } from '@po/redis';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Announcements } from '../../authentication/announcements.js';
import { API_ROOT } from '../../http/route-table.js';
import { readRequest } from '../read-request.js';
import { Route } from '../route.js';
import { Upstream, jsonOf, sendResponse } from '../upstream.js';
import { deleteUser } from './users.operations.js';

/** Time that a deletion waits for the order service. */
const MAX_WAIT_MS = 1_000;

@Controller(API_ROOT)
export class UsersController {
  constructor(
    private readonly upstream: Upstream,
    private readonly announcements: Announcements,
  ) {}

  /**
   * Other gateways learn of the deletion through Redis. This one drops its announcement directly, because its next request must not depend
   * on that.
   */
  @Route(deleteUser)
  async deleteUser(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { params, conditions } = await readRequest(deleteUser, request);
    const { userId = '' } = params;
    const options = { key: userId, ...conditions };
    const answer = await this.upstream.request(PATTERNS.deleteUser, { userId }, request, options);
    if (answer.status === 204) {
      this.announcements.reset([userHash(userId)]);
      await this.preventMentions(answer.body, request, userId);
    }
    sendResponse(answer, reply);
  }

  // The user is deleted even if the order service does not answer: it learns of the deletion from the directory's topic later. The body of an
  // older release is empty.
  private async preventMentions(deletion: Buffer, request: FastifyRequest, key: string): Promise<void> {
    if (deletion.length === 0) return;
    const deleted = this.upstream.request(PATTERNS.deleteKnownUser, jsonOf(deletion), request, { key });
    await endsWithin(MAX_WAIT_MS, deleted).catch(() => undefined);
  }
}
