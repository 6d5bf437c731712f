import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ASYNCAPI_FILE, TOPICS } from '@po/contracts';
import type { AsyncApi } from './async-api.js';
import { eventsPage } from './events-page.js';

function shown(document: AsyncApi): { en: string; zh: string } {
  const { content } = eventsPage(document);
  if (Buffer.isBuffer(content)) throw new Error('the page has only one language');
  return { en: content.en.toString(), zh: content.zh.toString() };
}

const document: AsyncApi = {
  info: { title: 'Topics', description: 'At **least** once. <script>alert(1)</script>' },
  channels: {
    acts: {
      address: 'acts.v1',
      summary: 'What was `done`.',
      messages: { done: { $ref: '#/components/messages/done' } },
      bindings: {
        kafka: { partitions: 12, topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': 2_592_000_000 } },
      },
    },
    states: {
      address: 'states.v1',
      description: 'What is.',
      messages: { changed: { name: 'changed', payload: { $ref: '#/components/schemas/State' } } },
      bindings: { kafka: { partitions: 6, topicConfiguration: { 'cleanup.policy': ['compact'] } } },
    },
  },
  operations: {
    acts: { action: 'receive', channel: { $ref: '#/channels/acts' } },
    states: { action: 'send', channel: { $ref: '#/channels/states' } },
  },
  components: {
    messages: {
      done: {
        name: 'done.v1',
        headers: {
          type: 'object',
          properties: { ce_id: { type: 'string', description: 'Its id.' } },
          required: ['ce_id'],
        },
        payload: {
          type: 'object',
          properties: {
            lines: { type: 'array', items: { type: 'object', properties: { qty: { type: 'integer', minimum: 1 } } } },
            state: { $ref: '#/components/schemas/State' },
          },
        },
        bindings: { kafka: { key: { type: 'string', description: 'The PO number.' } } },
        examples: [{ summary: 'One line', payload: { comment: '</code><script>alert(2)</script>' } }],
      },
    },
    schemas: { State: { type: 'object', properties: { at: { type: ['string', 'null'], format: 'date' } } } },
  },
};

describe('the events page', () => {
  const { en, zh } = shown(document);

  it('shows direction, key, partitions and retention of each topic', () => {
    const section = (address: string) => en.split(`<h2 id="${address}">`)[1]?.split('</section>')[0] ?? '';
    for (const text of ['The PO number.', '<dd>12</dd>', '<dd>30 days</dd>', 'What was <code>done</code>.']) {
      expect(section('acts.v1')).toContain(text);
    }
    for (const text of ['<dd>6</dd>', 'the last record of each key', 'What is.']) {
      expect(section('states.v1')).toContain(text);
    }
    expect(en).toMatch(/acts\.v1<\/code><\/a>\s*<\/td>\s*<td>you write it/);
    expect(en).toMatch(/states\.v1<\/code><\/a>\s*<\/td>\s*<td>you read it/);
    expect(zh).toContain('由您写入');
  });

  it('has a row for every field, including nested ones, and links types to their definitions', () => {
    for (const field of ['ce_id', 'lines?', 'lines[].qty?', 'state?', 'at?'])
      expect(en).toContain(`<code>${field}</code>`);
    expect(en).toContain('<code>minimum 1</code>');
    expect(en).toContain('<a href="#schema-State">State</a>');
    expect(en).toContain('id="schema-State"');
    expect(en).toContain('<code>date | null</code>');
  });

  it('shows examples with their markup escaped', () => {
    expect(en).toContain('One line');
    expect(en).not.toContain('<script');
    expect(en).toContain('&lt;/code&gt;&lt;script&gt;alert(2)');
  });

  it('shows every topic of the published document, and no value as undefined', () => {
    const published = JSON.parse(readFileSync(ASYNCAPI_FILE, 'utf8')) as AsyncApi;
    const text = shown(published).en;
    for (const topic of [TOPICS.inventory, TOPICS.transitions, TOPICS.state, TOPICS.notifications]) {
      expect(text).toContain(`<h2 id="${topic}">`);
    }
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });
});
