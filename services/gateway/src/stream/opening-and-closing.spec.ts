import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { PATTERNS } from '@po/contracts';
import { ok } from '@po/messaging';
import { EventStream } from '@po/testing/event-stream';
import { eventually } from '@po/testing/eventually';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';
import { fakeInboxes } from '../fixtures/fake-inboxes.js';

/** The notifications service before live streams were added. */
@Controller()
class OlderService {
  @MessagePattern(PATTERNS.unreadCount.type)
  unreadCount() {
    return ok({ unreadNotifications: 0 });
  }
}

describe('a live stream', () => {
  let gateway: RunningGateway;
  let inboxes: ReturnType<typeof fakeInboxes>;
  const begin = async (...services: (new () => object)[]) => {
    gateway = await runGateway({ services });
  };
  const open = (opening: object = {}) =>
    EventStream.open({ gatewayUrl: gateway.url, token: gateway.provider.token(), ...opening });
  const abortedLines = () => gateway.lines.filter(({ aborted }) => aborted);
  beforeEach(() => {
    inboxes = fakeInboxes();
  });
  afterEach(() => gateway.stop());

  it('ends when its gateway stops, whether it is read or not, and no more can be opened', async () => {
    await begin(inboxes.Service);
    const streams = await Promise.all([open(), open({ reads: false })]);
    await gateway.closeStreams();
    for (const stream of streams) {
      stream.read();
      expect(await stream.ended).toBe(true);
      expect(stream.events.at(-1)).toMatchObject({ name: 'end', data: { reason: 'shutdown' } });
    }
    const late = await open();
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1']);
  });

  it('is refused if its gateway stops while it is being opened', async () => {
    await begin(inboxes.Service);
    const inbox = inboxes.of('u-buyer');
    const release = Promise.withResolvers<void>();
    inbox.held = release.promise;
    const opening = open();
    await eventually('the inbox is requested', () => inbox.queries.length === 1);
    const closed = gateway.closeStreams();
    release.resolve();
    expect((await opening).status).toBe(503);
    await closed;
  });

  it('is refused with 503 and Retry-After if the service is too old for it', async () => {
    await begin(OlderService);
    const refused = await open();
    await refused.ended;
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-9]/)]);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'UNAVAILABLE', instance: '/api/notifications/stream' });
  });

  it('releases its lease if its client leaves before it begins', async () => {
    await begin(inboxes.Service);
    const inbox = inboxes.of('u-buyer');
    const release = Promise.withResolvers<void>();
    inbox.held = release.promise;
    const headers = { 'x-user-token': gateway.provider.token() };
    // As many as the service handles at a time.
    const leaving = Array.from({ length: 4 }, () =>
      request(`${gateway.url}/api/notifications/stream`, { agent: false, headers })
        .on('error', () => undefined)
        .end(),
    );
    await eventually('all inboxes are requested', () => inbox.queries.length >= leaving.length);
    for (const one of leaving) one.destroy();
    await eventually('all clients have left', () => abortedLines().length >= leaving.length);
    release.resolve();
    await eventually('five places are free', async () => {
      const streams = await Promise.all(Array.from({ length: 5 }, () => open()));
      for (const stream of streams) stream.close();
      return streams.every(({ status }) => status === 200);
    });
  });
});
