import { Controller, Req, Res } from '@nestjs/common';
import { type Me, PATTERNS, Profile, UnreadCount } from '@po/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actorOf } from '../../http/request-context.js';
import { API_ROOT } from '../../http/route-table.js';
import { getCurrentUser } from '../lookups.operations.js';
import { preferences } from './preferences.operations.js';
import { readRequest } from '../read-request.js';
import { Route } from '../route.js';
import { Upstream, jsonOf, sendResponse } from '../upstream.js';

// Actions that only a newer service knows are passed on, as in every other response.
const ProfileOfAnyVersion = Profile.extend({ permissions: z.array(z.string()) });

@Controller(API_ROOT)
export class MeController {
  constructor(private readonly upstream: Upstream) {}

  /** Combines the replies of two services; if either refuses, its refusal is the response. */
  @Route(getCurrentUser)
  async getCurrentUser(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { query: nothing } = await readRequest(getCurrentUser, request);
    const [profile, unread] = await Promise.all([
      this.upstream.request(PATTERNS.profile, nothing, request),
      this.upstream.request(PATTERNS.unreadCount, nothing, request),
    ]);
    const refusal = [profile, unread].find(({ status }) => status !== 200);
    if (refusal) {
      sendResponse(refusal, reply);
      return;
    }
    const { sub: userId, email, name, role, vendorCode, locale } = actorOf(request);
    const { vendorName, permissions } = ProfileOfAnyVersion.parse(jsonOf(profile.body));
    const { unreadNotifications } = UnreadCount.parse(jsonOf(unread.body));
    await reply.send({
      userId,
      email,
      name,
      role,
      vendorCode,
      vendorName,
      locale,
      permissions: permissions as Me['permissions'],
      unreadNotifications,
    } satisfies Me);
  }
  @Route(preferences.getPreferences)
  getPreferences(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(preferences.getPreferences, request, reply);
  }

  @Route(preferences.replacePreferences)
  replacePreferences(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(preferences.replacePreferences, request, reply);
  }
}
