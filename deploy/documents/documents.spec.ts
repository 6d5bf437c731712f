import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERRORS, GROUPS, HEADERS, TOPICS, TOPIC_MANIFEST, deadLetterTopic } from '@po/contracts';
import { OPERATIONS } from '../../services/gateway/src/routes/operations.js';
import { releaseBreakingChanges } from './compatibility/released.js';
import { recordedResponses } from './examples/recorded.js';
import { SUBSCRIPTIONS } from './kafka/access.js';
import { REPOSITORY } from '../local/repository.js';
import { SUBSCRIBED_TOPICS } from '../local/stack/backlog.js';
import { generatedDocuments } from './generated.js';
import { type JsonSchema, resolveReference } from './json-schema.js';
import { MESSAGES } from './messages.js';
import { TOPIC_GUIDES } from './topics.js';

const DOCUMENTS = await generatedDocuments();

describe('the generated documents', () => {
  it.each([...DOCUMENTS])('%s equals the output of "npm run docs"', async (path, text) => {
    expect(await readFile(join(REPOSITORY, path), 'utf8')).toBe(text);
  });

  const json = [...DOCUMENTS].filter(([path]) => path.endsWith('.json'));
  const referencesIn = (text: string) =>
    [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference = '']) => reference);

  it.each(json)('%s contains the targets of all its references', (_path, text) => {
    const document: unknown = JSON.parse(text);
    for (const reference of new Set(referencesIn(text))) expect(resolveReference(document, reference)).toBeDefined();
  });

  it('contain more than 100 references', () => {
    expect(json.flatMap(([, text]) => referencesIn(text)).length).toBeGreaterThan(100);
  });

  it('say that a revision may need 64 bits, for which generators of clients otherwise choose 32', () => {
    const formats = new Set<unknown>();
    const collect = (name: string, value: JsonSchema | null) => {
      if (name === 'sourceRevision' && value?.type === 'integer') formats.add(value.format);
      return value;
    };
    for (const [, text] of json) JSON.parse(text, collect);
    expect([...formats]).toEqual(['int64']);
  });

  it('break nothing for clients of the last release', async () => {
    expect(await releaseBreakingChanges(DOCUMENTS)).toEqual([]);
  });

  it('have an example of every message, and of each of our own messages one with every field that is always sent', () => {
    const { components } = JSON.parse(DOCUMENTS.get('libs/contracts/asyncapi.json') ?? '') as {
      components: Record<'messages' | 'schemas', Record<string, JsonSchema>>;
    };
    // Documented as sent in some records only.
    const conditional = ['autoApproved', 'submittedChanges'];
    const incomplete = Object.entries(components.messages).flatMap(([name, { examples }]) => {
      const [example] = examples as { payload: object }[];
      if (!example) return [name];
      const isOurs = MESSAGES.some(
        ({ type, direction }) => direction === 'output' && type === components.messages[name]?.name,
      );
      const fields = isOurs ? Object.keys(components.schemas[name]?.properties as object) : [];
      return fields.filter((field) => !(field in example.payload) && !conditional.includes(field));
    });
    expect(incomplete).toEqual([]);
  });

  it('have an example of every operation and of every error code that a request can cause on demand', () => {
    const recorded = new Set(Object.keys(recordedResponses()));
    const without = [...Object.keys(OPERATIONS), ...Object.keys(ERRORS)].filter((name) => !recorded.has(name));
    expect(without).toEqual([
      // Needs a mail server that refuses an address.
      'deleteSuppression',
      'BAD_REQUEST',
      'IDEMPOTENCY_IN_PROGRESS',
      'COMMENT_REQUIRED',
      'EXPORT_TOO_LARGE',
      'TOO_MANY_VIEWS',
      'RATE_LIMITED',
      'TOO_MANY_EXPORTS',
      'TOO_MANY_UPLOADS',
      'INTERNAL',
      'UNAVAILABLE',
      'TIMEOUT',
    ]);
  });
});

describe('the guide to the topics for other systems', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const daysOf = (name: string) => Number(TOPIC_MANIFEST.find(({ topic }) => topic === name)?.retention) / DAY_MS;

  it('asks to remember notifications for as long as their dead letters can be redriven', () => {
    const { duplicates = '' } = TOPIC_GUIDES.find(({ topic }) => topic === TOPICS.notifications) ?? {};
    const [, days] = /(\d+) days/.exec(duplicates) ?? [];
    const redrivenAfter = daysOf(TOPICS.notifications) + daysOf(deadLetterTopic(GROUPS.mailEvents));
    expect(Number(days)).toBeGreaterThanOrEqual(redrivenAfter);
  });

  it('names the header of redriven records on every topic that a group of ours reads', () => {
    const read = new Set(SUBSCRIPTIONS.flatMap(({ events }) => events.flatMap(({ topics }) => topics)));
    const ours = MESSAGES.filter(({ topic, direction }) => direction === 'output' && read.has(topic as never));
    const without = ours.filter(({ headers }) => !(HEADERS.redrivenFrom in (headers.properties as object)));
    expect([ours.length > 3, without.map(({ type }) => type)]).toEqual([true, []]);
  });
});

it('the backlog check of the local stack covers every topic that a consumer group subscribes to', () => {
  const subscribed = SUBSCRIPTIONS.flatMap(({ rpc, events }) => [
    ...rpc.map(({ group, topic }) => [group, [topic]] as const),
    ...events.map(({ group, topics }) => [group, topics] as const),
  ]);
  expect(SUBSCRIBED_TOPICS).toEqual(Object.fromEntries(subscribed));
});
