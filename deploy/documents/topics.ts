import {
  GROUPS,
  MAX_BATCH_BYTES,
  TOPICS,
  TOPIC_MANIFEST,
  type TopicSpecification,
  deadLetterTopic,
} from '@po/contracts';

/** Guide to a topic for its producers and consumers, in CommonMark. */
export interface TopicGuide {
  /** Topic name in the manifest; if `address` has `parameters`, one of several topics that share this guide. */
  topic: string;
  address: string;
  parameters?: Record<string, { description: string; enum: string[] }>;
  /** Action of the service: it receives what other systems send, or sends. */
  action: 'receive' | 'send';
  operation: string;
  summary: string;
  key: string;
  order: string;
  duplicates: string;
  beginning: string;
  changes: string;
}

const MIB = 1024 * 1024;
const NUMBER = 'The PO number.';
const ADDED = 'New fields, headers, actions, statuses and roles. Ignore what you do not know.';

export const DEAD_LETTER_KEY =
  'The key of the original record; none for an unreadable batch: the reason has its offsets.';

/** Topics that other systems use, in the order in which a purchase order passes through them. */
export const TOPIC_GUIDES: readonly TopicGuide[] = [
  {
    topic: TOPICS.inventory,
    address: TOPICS.inventory,
    action: 'receive',
    operation: 'receivePurchaseOrders',
    summary: 'Records of the inventory system: whole orders and cancellations, distinguished by the header `type`.',
    key: `${NUMBER} A record with another key is dead-lettered; a batch of more than ${MAX_BATCH_BYTES / MIB} MiB uncompressed gives one empty dead letter.`,
    order:
      'Send the records of one order in sequence, always with the same partitioner. A late `sourceRevision` is ignored.',
    duplicates: 'When in doubt, send again: a `sourceRevision` that is not higher than the last one changes nothing.',
    beginning:
      'Send every order once, and whole again when it changes. Set each timestamp to now: Kafka may delete old records unread.',
    changes: 'Fields that are ignored today may get a meaning. What is accepted today stays accepted.',
  },
  {
    topic: TOPICS.transitions,
    address: TOPICS.transitions,
    action: 'send',
    operation: 'sendTransitions',
    summary: 'Transitions of orders: one record per history entry; on APPROVE with `agreed`, for write-back.',
    key: NUMBER,
    order: 'Per PO, by `sequence`, 1, 2, 3 …, and increasing `poVersion`; none between POs.',
    duplicates:
      'Possible. Drop records whose `ce_id` you already have. Comparing `poVersion` instead loses changes after a restore.',
    beginning: `Read \`${TOPICS.state}\` to its end, then this topic from its first record; skip entries whose \`poVersion\` the state includes.`,
    changes: ADDED,
  },
  {
    topic: TOPICS.state,
    address: TOPICS.state,
    action: 'send',
    operation: 'sendStates',
    summary: 'The whole order after every change, including replies not submitted yet; `agreed` is binding.',
    key: NUMBER,
    order:
      'Per PO, by increasing `poVersion`. After an hour, only the newest record of an order is certain to be there.',
    duplicates:
      'Possible: drop records without a higher `poVersion` than you have. `ce_id` is `<PO number>@<poVersion>`.',
    beginning:
      'Read the topic from its first record: the last record of every key is kept forever. Orders are never deleted.',
    changes: ADDED,
  },
  {
    topic: TOPICS.messages,
    address: TOPICS.messages,
    action: 'send',
    operation: 'sendMessages',
    summary: 'Messages of both sides about orders, one record each. Never show `internal` messages to the vendor.',
    key: NUMBER,
    order: 'Per PO, as they were written.',
    duplicates: 'Possible. `ce_id` is the id of the message.',
    beginning: 'Read the topic from its first record: it has the messages of 30 days. Older ones are in the API.',
    changes: ADDED,
  },
  {
    topic: TOPICS.reminders,
    address: TOPICS.reminders,
    action: 'send',
    operation: 'sendReminders',
    summary:
      'Reminders of waiting orders: one record per order, rule and due day; after an outage only the latest one.',
    key: NUMBER,
    order: 'Per PO, by due time.',
    duplicates: 'Possible. The same `ce_id` means the same reminder.',
    beginning: "Start at the end of the topic: the order's state shows whether it still waits.",
    changes: `${ADDED} Rules may be added.`,
  },
  {
    topic: TOPICS.notifications,
    address: TOPICS.notifications,
    action: 'send',
    operation: 'sendNotifications',
    summary: 'One record per new notification, for a mail or chat gateway.',
    key: NUMBER,
    order: 'Per PO, as they were created.',
    duplicates:
      'Possible. `ce_id` is the id of the notification: remember ids for 40 days, because dead letters may be redriven.',
    beginning:
      'Start at the end of the topic: older notifications need no mail. The first inbox of a new user is not published.',
    changes: ADDED,
  },
  {
    topic: deadLetterTopic(GROUPS.inventory),
    address: '{group}.dlq.v1',
    parameters: {
      group: { description: 'The consumer group that could not handle the record.', enum: Object.values(GROUPS) },
    },
    action: 'send',
    operation: 'sendDeadLetters',
    summary: `Records that a group cannot handle, unchanged, with the reason. For orders: \`${deadLetterTopic(GROUPS.inventory)}\`.`,
    key: DEAD_LETTER_KEY,
    order: 'Not guaranteed.',
    duplicates: 'Possible: `x-dlq-topic`, `x-dlq-partition` and `x-dlq-offset` name the original record.',
    beginning: 'Read the topic from its first record, or use `npm run dead-letters -- list`.',
    changes: 'The wording of `x-dlq-reason`. New consumer groups have topics of their own.',
  },
];

/** Retention of records as text. */
export function retentionText(retention: number | 'compact'): string {
  if (retention === 'compact') return 'compacted';
  const minutes = retention / 60_000;
  return minutes < 60 ? `${minutes} min` : `${minutes / (24 * 60)} d`;
}

/** Topic guides for the README next to the examples, without the answers that are the same for most topics. */
export function externalTopics(): string {
  const sections = TOPIC_GUIDES.map((guide) => {
    const { partitions, retention } = manifestOf(guide);
    const facts = `${partitions} partitions, ${retention === 'compact' ? '' : 'kept for '}${retentionText(retention)}.`;
    const answers = Object.entries(answersOf(guide))
      .filter(([, answer]) => answer !== NUMBER && answer !== ADDED)
      .map(([question, answer]) => `**${question}:** ${answer}`);
    return `### \`${guide.address.replace(/\{(\w+)\}/, '<$1>')}\`\n\n${guide.summary} ${facts}\n\n${lines(answers).join('\n')}`;
  });
  return sections.join('\n\n');
}

const LINE = 130;

/** Markdown list in which short answers share a line. */
const lines = (answers: readonly string[]): string[] =>
  answers.reduce<string[]>((list, answer) => {
    const last = list.at(-1);
    if (last !== undefined && last.length + answer.length < LINE) return [...list.slice(0, -1), `${last} ${answer}`];
    return [...list, `- ${answer}`];
  }, []);

/** Answers of a guide by their headings. */
export const answersOf = ({ key, order, duplicates, beginning, changes }: TopicGuide): Record<string, string> => ({
  Key: key,
  Order: order,
  Duplicates: duplicates,
  'First load': beginning,
  'May change without notice': changes,
});

export function manifestOf({ topic }: TopicGuide): TopicSpecification {
  const found = TOPIC_MANIFEST.find((one) => one.topic === topic);
  if (!found) throw new Error(`the manifest has no topic ${topic}`);
  return found;
}
