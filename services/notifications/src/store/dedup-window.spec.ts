import { GROUPS, TOPICS, TOPIC_MANIFEST, deadLetterTopic } from '@po/contracts';
import { expect, it } from '@jest/globals';
import { ENTRY_KNOWN_DAYS, ENTRY_TAKEN_DAYS } from './dedup-window.js';

const DAY_MS = 86_400_000;
const daysKept = (topic: string): number => {
  const retention = TOPIC_MANIFEST.find((each) => each.topic === topic)?.retention;
  return typeof retention === 'number' ? retention / DAY_MS : NaN;
};

it.each([TOPICS.transitions, TOPICS.messages, TOPICS.reminders])(
  'takes an entry of %s for as long as its topic keeps it, and as a dead letter, and sent back',
  (topic) => {
    const sentBack = 2 * daysKept(topic) + daysKept(deadLetterTopic(GROUPS.notificationsEvents));
    expect(sentBack).toBeLessThanOrEqual(ENTRY_TAKEN_DAYS);
  },
);

it('forgets nothing that could be taken anew', () => {
  expect(ENTRY_KNOWN_DAYS).toBeGreaterThan(ENTRY_TAKEN_DAYS);
});
