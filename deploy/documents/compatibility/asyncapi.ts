import type { Direction, JsonSchema } from '../json-schema.js';
import { resolveReference } from './flat-schema.js';
import { schemaBreakingChanges } from './schemas.js';

interface Reference {
  $ref: string;
}

interface Message {
  name?: string;
  contentType?: string;
  headers?: JsonSchema;
  payload?: JsonSchema;
}

interface Channel {
  address: string;
  messages: Record<string, Message | Reference>;
}

/** The parts of an AsyncAPI 3 document that describe messages. Operations are seen from the service: it sends or receives. */
export interface AsyncApiDocument {
  channels: Record<string, Channel>;
  operations: Record<string, { action: 'send' | 'receive'; channel: Reference; messages?: Reference[] }>;
}

interface DirectedMessage {
  direction: Direction;
  message: Message;
}

/** Breaking changes between two AsyncAPI documents, each as a sentence that begins with its location. */
export function asyncApiBreakingChanges(before: AsyncApiDocument, after: AsyncApiDocument): string[] {
  const [old, now] = [messagesByLocation(before), messagesByLocation(after)];
  return [...old].flatMap(([at, { direction, message }]) => {
    const counterpart = now.get(at);
    if (!counterpart) return [`${at} is gone`];
    const type = message.contentType ?? 'application/json';
    const isAnother = type !== (counterpart.message.contentType ?? 'application/json');
    const parts = (['headers', 'payload'] as const).flatMap((part) =>
      schemaBreakingChanges(
        { schema: message[part] ?? {}, root: before },
        { schema: counterpart.message[part] ?? {}, root: after },
        direction,
        `${at} ${part}`,
      ),
    );
    return [...(isAnother ? [`${at} is ${counterpart.message.contentType} now`] : []), ...parts];
  });
}

/** Messages by location: topic, action (send or receive) and message name. */
function messagesByLocation(document: AsyncApiDocument): Map<string, DirectedMessage> {
  const resolved = <T extends object>(part: T | Reference): T =>
    '$ref' in part ? (resolveReference(document, part.$ref as string) as T) : part;
  const entries = Object.values(document.operations).flatMap(({ action, channel, messages }) => {
    const { address, messages: all } = resolved<Channel>(channel);
    const direction: Direction = action === 'send' ? 'output' : 'input';
    const chosen = messages ?? Object.keys(all).map((name) => ({ $ref: `${channel.$ref}/messages/${name}` }));
    return chosen.map((reference): [string, DirectedMessage] => {
      // The reference points to the channel's message, which may itself be a reference into the components.
      const message = resolved<Message>(resolved<Message | Reference>(reference));
      return [`${address} ${action} ${message.name ?? reference.$ref.split('/').at(-1)}`, { direction, message }];
    });
  });
  return new Map(entries);
}
