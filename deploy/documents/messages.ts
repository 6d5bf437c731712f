import {
  EVENT_TYPES,
  HEADERS,
  INVENTORY_TYPES,
  MessagePosted,
  NotificationCreated,
  PurchaseOrderState,
  PurchaseOrderTransitioned,
  ReminderDue,
  TOPICS,
} from '@po/contracts';
import { z } from 'zod';
import { type Direction, type JsonSchema, NamedSchemas, mapped } from './json-schema.js';

/** A record type on a topic that other systems use. */
export interface Message {
  /** Value of the type header. */
  type: string;
  topic: string;
  direction: Direction;
  headers: JsonSchema;
  /** Schema of the record's value. */
  schema: z.ZodType;
  /** Example file shown in documents; further examples are in the same folder. */
  example: string;
}

const textSchema = (description: string): JsonSchema => ({ description, type: 'string' });

const sentToUs = (type: keyof typeof INVENTORY_TYPES, example: string): Message => ({
  type,
  topic: TOPICS.inventory,
  direction: 'input',
  schema: INVENTORY_TYPES[type],
  headers: {
    type: 'object',
    properties: {
      [HEADERS.inventoryType]: {
        description: 'The type of the value. A record with different types is dead-lettered.',
        const: type,
      },
    },
    required: [HEADERS.inventoryType],
  },
  example,
});

interface Event extends Pick<Message, 'topic' | 'schema' | 'example'> {
  source: string;
  /** Description of the event id. */
  id: string;
}

function event(type: string, { source, id, ...message }: Event): Message {
  const attributes = {
    ce_specversion: { const: '1.0' },
    ce_id: textSchema(id),
    [HEADERS.cloudEventType]: { const: type },
    ce_source: { const: source },
    ce_subject: textSchema('The PO number.'),
    ce_time: { ...textSchema('When the event occurred.'), format: 'date-time' },
    'content-type': { const: 'application/json' },
  };
  const headers = {
    description: 'CloudEvents 1.0 in the Kafka binary binding.',
    type: 'object',
    properties: {
      ...attributes,
      [HEADERS.traceparent]: textSchema('W3C Trace Context of the cause; may be absent.'),
      [HEADERS.redrivenFrom]: textSchema(
        'Only on a record that was redriven from a dead-letter topic: its position there, `<topic>/<partition>/<offset>`.',
      ),
    },
    required: Object.keys(attributes),
  };
  return { ...message, type, direction: 'output', headers };
}

const ORDERS = '/purchase-orders';

export const MESSAGES: readonly Message[] = [
  sentToUs('purchase-order.upserted', 'upserted'),
  sentToUs('purchase-order.cancelled', 'cancelled'),
  event(EVENT_TYPES.transitioned, {
    topic: TOPICS.transitions,
    schema: PurchaseOrderTransitioned,
    example: 'approve',
    source: ORDERS,
    id: 'The id of the history entry.',
  }),
  event(EVENT_TYPES.stateChanged, {
    topic: TOPICS.state,
    schema: PurchaseOrderState,
    example: 'confirmed',
    source: ORDERS,
    id: '`<PO number>@<poVersion>`.',
  }),
  event(EVENT_TYPES.messagePosted, {
    topic: TOPICS.messages,
    schema: MessagePosted,
    example: 'from-vendor',
    source: ORDERS,
    id: 'The id of the message.',
  }),
  event(EVENT_TYPES.reminderDue, {
    topic: TOPICS.reminders,
    schema: ReminderDue,
    example: 'reply-due',
    source: ORDERS,
    id: 'The id of the reminder: the same for the same order, rule and day.',
  }),
  event(EVENT_TYPES.notificationCreated, {
    topic: TOPICS.notifications,
    schema: NotificationCreated,
    example: 'source-update-for-vendor',
    source: '/notifications',
    id: 'The id of the notification.',
  }),
];

/** Headers of a dead letter in addition to those of the original record. */
export const DEAD_LETTER_HEADERS: JsonSchema = {
  description: 'The headers of the original record, and these.',
  type: 'object',
  properties: {
    [HEADERS.deadLetterReason]: textSchema('Why the record cannot be handled, for people.'),
    [HEADERS.deadLetterTopic]: textSchema('Topic of the original record.'),
    [HEADERS.deadLetterPartition]: { ...textSchema('Its partition, in decimal.'), pattern: '^[0-9]+$' },
    [HEADERS.deadLetterOffset]: { ...textSchema('Its offset, in decimal.'), pattern: '^[0-9]+$' },
    [HEADERS.deadLetterWithout]: {
      ...textSchema(
        'The dead letter has no copy of the record, which is unreadable or too large. The original is still on its topic.',
      ),
      const: 'record',
    },
  },
  required: [HEADERS.deadLetterReason, HEADERS.deadLetterTopic, HEADERS.deadLetterPartition, HEADERS.deadLetterOffset],
};

/** Schema name of a message's value, and by name this schema and all schemas that it refers to. */
export function schemasOf({ schema, type, direction }: Message): { name: string; schemas: Record<string, JsonSchema> } {
  const { id: name } = z.globalRegistry.get(schema) ?? {};
  if (!name) throw new Error(`the schema of ${type} needs .meta({ id, description })`);
  const named = new NamedSchemas();
  named.of(schema, direction);
  return { name, schemas: mapped(named.all(), (one) => adapted(one, direction)) as Record<string, JsonSchema> };
}

/**
 * Adapts a schema for consumers that validate records with any draft of JSON Schema. Consumers must not refuse values that a newer
 * version adds, so enums of output become descriptions. Older drafts ignore siblings of $ref, so references move into allOf.
 */
function adapted<T>(part: T, direction: Direction): T {
  if (Array.isArray(part)) return part.map((each: unknown) => adapted(each, direction)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const { enum: known, $ref, description, ...rest } = part as JsonSchema;
  const isOpen = Array.isArray(known) && direction === 'output';
  const sentences = [
    description as string | undefined,
    isOpen ? `${known.filter((value) => value !== null).join(', ')}; other values may be added.` : undefined,
  ];
  const words = sentences.filter((sentence) => sentence !== undefined).join(' ');
  const inner = (value: unknown) => adapted(value, direction);
  const parts = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'properties' ? mapped(value as JsonSchema, inner) : inner(value),
  ]);
  const schema: JsonSchema = {
    ...(words === '' ? {} : { description: words }),
    ...(Object.fromEntries(parts) as JsonSchema),
    ...(known === undefined || isOpen ? {} : { enum: known }),
  };
  if ($ref === undefined) return schema as T;
  return (Object.keys(schema).length === 0 ? { $ref } : { ...schema, allOf: [{ $ref }] }) as T;
}
