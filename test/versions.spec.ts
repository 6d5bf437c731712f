import { describe, expect, it } from '@jest/globals';
import { Actor, ImportTable, PATTERNS } from '@po/contracts';
import { z } from 'zod';
import { subscriptions as dashboard } from '../services/dashboard/src/subscriptions.js';
import { OPERATIONS } from '../services/gateway/src/routes/operations.js';
import { subscriptions as mail } from '../services/mail/src/subscriptions.js';
import { subscriptions as notifications } from '../services/notifications/src/subscriptions.js';
import { subscriptions as purchaseOrders } from '../services/purchase-orders/src/subscriptions.js';
import { schemasIn } from './support/schemas.js';

type Named = [name: string, schema: z.ZodType];

const objectsIn = (schema: z.ZodType): z.ZodType[] =>
  [...schemasIn(schema)].filter((inner) => inner instanceof z.ZodObject);

/** Whether an object of this schema is refused for an unknown field. */
function refusesMore(object: z.ZodType): boolean {
  const issues = object.safeParse({ addedTomorrow: 1 }).error?.issues ?? [];
  return issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys.includes('addedTomorrow'));
}

const bodies: Named[] = Object.entries(OPERATIONS).flatMap(([id, { body }]) =>
  body instanceof z.ZodType ? [[id, body]] : [],
);
const requests: Named[] = Object.values(PATTERNS).map(({ type, request }) => [type, request]);
const replies: Named[] = Object.values(PATTERNS).map(({ type, reply }) => [`the reply to ${type}`, reply]);
const events: Named[] = [purchaseOrders(1), notifications(1), dashboard(), mail(1)].flatMap(({ events: taken }) =>
  taken.flatMap(({ group, schemas }) =>
    Object.entries(schemas).map(([type, schema]): Named => [`${type} in ${group}`, schema]),
  ),
);

describe('versions running side by side', () => {
  it('have the expected number of schemas to check', () => {
    expect([bodies.length, requests.length, replies.length, events.length]).toEqual([10, 50, 50, 13]);
    const lines = bodies.find(([id]) => id === 'updateLineItems')?.[1];
    expect(lines && objectsIn(lines)).toHaveLength(2);
  });

  it.each(bodies)('refuse undocumented fields in the body of %s', (_id, body) => {
    expect(objectsIn(body).length).toBeGreaterThan(0);
    expect(objectsIn(body).filter((object) => !refusesMore(object))).toEqual([]);
  });

  // User input is executed completely or not at all, so only its schemas must not ignore unknown fields.
  const whole = new Set([...bodies.map(([, body]) => body), ImportTable].flatMap(objectsIn));

  it.each([['the actor', Actor] as Named, ...requests, ...replies, ...events])(
    'accept fields that only a newer version knows in %s, except in user input',
    (_name, schema) => {
      const objects = objectsIn(schema);
      expect(objects.filter((object) => refusesMore(object) !== whole.has(object))).toEqual([]);
    },
  );

  it.each(events)('accept values that only a newer version knows in %s', (_name, schema) => {
    const closed = [...schemasIn(schema)].filter(
      (inner) => inner instanceof z.ZodEnum || inner instanceof z.ZodLiteral,
    );
    expect(closed).toEqual([]);
  });
});
