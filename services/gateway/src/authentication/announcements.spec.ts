import { describe, expect, it } from '@jest/globals';
import { type Actor, TOPICS, UserSeen } from '@po/contracts';
import { Publisher } from '@po/messaging';
import { userHash } from '@po/redis';
import { pino } from 'pino';
import { InMemoryKafka } from '@po/messaging/testing';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { Announcements } from './announcements.js';

const logger = pino({ level: 'silent' });
const HOUR = 3_600_000;

const open = (kafka: InMemoryKafka) => new Announcements(new Publisher(kafka, { acks: 'all', logger }), logger);
const by = (actor: Actor, issuedAt = 1) => ({ actor, issuedAt });
const seen = (kafka: InMemoryKafka) =>
  kafka.records(TOPICS.users).map(({ value }) => UserSeen.parse(JSON.parse(value?.toString() ?? '')));

describe('Announcements', () => {
  it('announces a user on the first request, when the claims change, and after six hours', async () => {
    const kafka = new InMemoryKafka();
    const announcements = open(kafka);
    announcements.announce(by(actors.acme), 0);
    announcements.announce(by(actors.acme), 1);
    announcements.announce(by({ ...actors.acme, locale: 'en' }), 2);
    announcements.announce(by({ ...actors.acme, locale: 'en' }), 6 * HOUR);
    await eventually('both announcements are sent', () => seen(kafka).length === 2);
    announcements.announce(by({ ...actors.acme, locale: 'en' }), 6 * HOUR + 3);
    await eventually('the user is announced again', () => seen(kafka).length === 3);
    expect(seen(kafka).map(({ locale }) => locale)).toEqual(['zh', 'en', 'en']);
    expect(seen(kafka)[0]).toMatchObject(actors.acme);
    expect(kafka.records(TOPICS.users)[0]).toMatchObject({
      key: Buffer.from('u-acme'),
      headers: { ce_specversion: '1.0', ce_type: 'user.seen.v1', ce_source: '/gateway', ce_subject: 'u-acme' },
    });
  });

  it('ignores a token older than the one announced, until the user is deleted', async () => {
    const kafka = new InMemoryKafka();
    const announcements = open(kafka);
    const moved = { ...actors.acme, vendorCode: 'BOLT' };
    const are = [by(actors.acme, 2), by(moved, 1), by(moved, 4), by(actors.acme, 3), by(moved, 5), by(actors.acme, 4)];
    const news = are.map((caller, time) => announcements.announce(caller, time));
    expect(news).toEqual([true, false, true, false, false, false]);
    await eventually('both announcements are sent', () => seen(kafka).length === 2);
    announcements.reset([userHash(actors.acme.sub)]);
    announcements.announce(by(actors.acme), 9);
    await eventually('the user is announced again', () => seen(kafka).length === 3);
    expect(seen(kafka).map(({ vendorCode, issuedAt }) => [vendorCode, issuedAt])).toEqual([
      ['ACME', '1970-01-01T00:00:02.000Z'],
      ['BOLT', '1970-01-01T00:00:04.000Z'],
      ['ACME', '1970-01-01T00:00:01.000Z'],
    ]);
  });

  it('announces claims again after another gateway has announced a newer token', async () => {
    const kafka = new InMemoryKafka();
    const announcements = open(kafka);
    const user = userHash(actors.acme.sub);
    const hear = (issuedAt: number) => announcements.announcedElsewhere([{ user, issuedAt }]);
    announcements.announce(by(actors.acme, 1), 0);
    hear(1);
    expect(announcements.announce(by(actors.acme, 1), 1)).toBe(false);
    hear(2);
    // Older than the token that the other gateway announced.
    expect(announcements.announce(by(actors.acme, 1), 2)).toBe(false);
    expect(announcements.announce(by(actors.acme, 3), 2)).toBe(true);
    await eventually(
      'the newest token is announced',
      () => seen(kafka).at(-1)?.issuedAt === '1970-01-01T00:00:03.000Z',
    );
  });

  it('retries while Kafka is unavailable, and no request waits for it', async () => {
    const kafka = new InMemoryKafka();
    kafka.down = true;
    const announcements = open(kafka);
    announcements.announce(by(actors.acme));
    announcements.announce(by(actors.buyer));
    kafka.down = false;
    await eventually('both are announced', () => seen(kafka).length === 2);
    expect(
      seen(kafka)
        .map(({ sub }) => sub)
        .toSorted(),
    ).toEqual(['u-acme', 'u-buyer']);
  });

  it('announces a deleted user on the next request, and every user if the deleted users are unknown', async () => {
    const kafka = new InMemoryKafka();
    const announcements = open(kafka);
    const callAt = async (time: number, announcedThen: number) => {
      announcements.announce(by(actors.acme), time);
      announcements.announce(by(actors.buyer), time);
      await eventually('the users are announced', () => seen(kafka).length === announcedThen);
    };
    await callAt(0, 2);
    announcements.reset([userHash(actors.acme.sub)]);
    await callAt(1, 3);
    announcements.resetAll();
    await callAt(2, 5);
    const times = (sub: string) => seen(kafka).flatMap((user) => (user.sub === sub ? [Date.parse(user.seenAt)] : []));
    expect([times(actors.acme.sub), times(actors.buyer.sub)]).toEqual([
      [0, 1, 2],
      [0, 2],
    ]);
  });

  // A record already being sent when the deletion arrives carries the time of its call, so the directory sees that it is older.
  it('does not send a waiting announcement of a user who has been deleted since', async () => {
    const kafka = new InMemoryKafka();
    kafka.down = true;
    const announcements = open(kafka);
    announcements.announce(by(actors.buyer), 7);
    announcements.announce(by(actors.acme), 5);
    announcements.reset([userHash(actors.acme.sub)]);
    kafka.down = false;
    await eventually('the buyer is announced', () => seen(kafka).length > 0);
    expect(seen(kafka).map(({ sub, seenAt }) => [sub, seenAt])).toEqual([['u-buyer', '1970-01-01T00:00:00.007Z']]);
  });

  it('sends an announcement again that the broker refused', async () => {
    let refusals = 2;
    const kafka = new InMemoryKafka(undefined, {
      random: () => 0.5,
      get rejected() {
        return (refusals -= 1) >= 0 ? 1 : 0;
      },
    });
    open(kafka).announce(by(actors.acme));
    await eventually('the user is announced', () => seen(kafka).length > 0);
    expect(refusals).toBeLessThan(0);
  });
});
