import { expect, it } from '@jest/globals';
import { KAFKA_USERS } from '../../deploy/documents/kafka/access.js';
import { ruleThatAllows, rulesOfScript } from './kafka-rules.js';

it('acls.sh gives each Kafka user exactly its rights: on topics by name, on groups by prefix', async () => {
  const expected = Object.entries(KAFKA_USERS).flatMap(([user, rules]) =>
    rules.flatMap(({ resource: type, name, operations }) => {
      const pattern = type === 'group' ? 'prefixed' : 'literal';
      return operations.map((operation) => ruleThatAllows(`User:${user}`, operation, { type, name, pattern }));
    }),
  );
  const sorted = (rules: typeof expected) => rules.map((rule) => JSON.stringify(rule)).toSorted();
  expect(expected.length).toBeGreaterThan(50);
  expect(sorted(await rulesOfScript())).toEqual(sorted(expected));
});
