import { MESSAGES, valueOf } from './messages.js';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** A JSON Schema of each message's value, by the path of its file. */
export const messageSchemas = (): Record<string, object> =>
  Object.fromEntries(
    MESSAGES.map((message) => {
      const { name, value, parts } = valueOf(message, '#/$defs/');
      const { description, ...rest } = value;
      const about = { $schema: DRAFT, $id: `urn:purchase-orders:${message.type}`, title: name, description };
      const defs = Object.keys(parts).length === 0 ? {} : { $defs: parts };
      return [`libs/contracts/schemas/${message.type}.json`, { ...about, ...rest, ...defs }];
    }),
  );
