import { GROUPS, TOPICS, TOPIC_MANIFEST, deadLetterTopic } from '@po/contracts';
import { expect, it } from '@jest/globals';
import { ENTRY_RETENTION_DAYS, MAX_ENTRY_AGE_DAYS } from './dedup-window.js';

const DAY_MS = 86_400_000;
const daysKept = (topic: string): number => {
  const retention = TOPIC_MANIFEST.find((each) => each.topic === topic)?.retention;
  return typeof retention === 'number' ? retention / DAY_MS : NaN;
};

it.each([TOPICS.transitions, TOPICS.messages, TOPICS.reminders])(
  'accepts an entry of %s during its topic retention, as a dead letter, and after it is redriven',
  (topic) => {
    const sentBack = 2 * daysKept(topic) + daysKept(deadLetterTopic(GROUPS.notificationsEvents));
    expect(sentBack).toBeLessThanOrEqual(MAX_ENTRY_AGE_DAYS);
  },
);

it('remembers entries for longer than they can be announced', () => {
  expect(ENTRY_RETENTION_DAYS).toBeGreaterThan(MAX_ENTRY_AGE_DAYS);
});
