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

/** Whether an object of this schema is refused for a field that nobody has heard of. */
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

describe('versions side by side', () => {
  it('finds what is to be looked at', () => {
    expect([bodies.length, requests.length, replies.length, events.length]).toEqual([10, 49, 49, 13]);
    const lines = bodies.find(([id]) => id === 'updateLineItems')?.[1];
    expect(lines && objectsIn(lines)).toHaveLength(2);
  });

  it.each(bodies)('the body of %s has no field that is not documented', (_id, body) => {
    expect(objectsIn(body).length).toBeGreaterThan(0);
    expect(objectsIn(body).filter((object) => !refusesMore(object))).toEqual([]);
  });

  // What a user wants done is done as a whole or not at all: there alone a field may not be left out.
  const whole = new Set([...bodies.map(([, body]) => body), ImportTable].flatMap(objectsIn));

  it.each([['the actor', Actor] as Named, ...requests, ...replies, ...events])(
    '%s may have more fields in a newer version, but in what a user wants done',
    (_name, schema) => {
      const objects = objectsIn(schema);
      expect(objects.filter((object) => refusesMore(object) !== whole.has(object))).toEqual([]);
    },
  );

  it.each(events)('%s may name what this version has not heard of', (_name, schema) => {
    const closed = [...schemasIn(schema)].filter(
      (inner) => inner instanceof z.ZodEnum || inner instanceof z.ZodLiteral,
    );
    expect(closed).toEqual([]);
  });
});
