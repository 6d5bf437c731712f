import { readFileSync } from 'node:fs';
import { ASYNCAPI_FILE, type Locale } from '@po/contracts';
import type { Page } from '../http/pages.js';
import type { AsyncApi, Channel, Message } from './async-api.js';
import { fileAt } from './files.js';
import { type Markup, html } from './html.js';
import type { JsonSchema } from './json-schema.js';
import { type Bilingual, pageOf, sample, table } from './layout.js';
import { block, inline } from './markdown.js';
import { anchorOf, schemaTable } from './schema-table.js';

const WORDS = {
  title: { en: 'Events', zh: '事件' },
  topics: { en: 'Topics', zh: '主题' },
  topic: { en: 'Topic', zh: '主题' },
  about: { en: 'What it is', zh: '内容' },
  direction: { en: 'Direction', zh: '方向' },
  send: { en: 'you read it', zh: '由您读取' },
  receive: { en: 'you write it', zh: '由您写入' },
  key: { en: 'Key', zh: '键' },
  partitions: { en: 'Partitions', zh: '分区数' },
  kept: { en: 'Kept', zh: '保留' },
  compacted: { en: 'the last record of each key', zh: '每个键的最后一条记录' },
  headers: { en: 'Headers', zh: '消息头' },
  value: { en: 'Value', zh: '消息体' },
  example: { en: 'Example', zh: '示例' },
  schemas: { en: 'Types', zh: '类型' },
} satisfies Record<string, Bilingual>;

const INTRODUCTION: Bilingual = {
  en: 'Kafka topics for other systems. For programs: [asyncapi.json](/docs/asyncapi.json).',
  zh: '供其他系统使用的 Kafka 主题。供程序使用：[asyncapi.json](/docs/asyncapi.json)。以下说明为英文。',
};

const DAY_MS = 86_400_000;

/** The reference of the topics, and the AsyncAPI document that it is generated from. */
export const eventsPages = (): Page[] => [
  eventsPage(JSON.parse(readFileSync(ASYNCAPI_FILE, 'utf8')) as AsyncApi),
  fileAt('/docs/asyncapi.json', ASYNCAPI_FILE),
];

const eventsPage = (document: AsyncApi): Page =>
  pageOf({
    path: '/docs/events',
    title: WORDS.title,
    main: (locale) => {
      const topics = Object.entries(document.channels).map(([id, channel]) => topicOf(document, id, channel));
      return html`
        <h1>${WORDS.title[locale]}</h1>
        <p>${inline(INTRODUCTION[locale], locale)}</p>
        ${english(document.info.description, locale)}
        <h2>${WORDS.topics[locale]}</h2>
        ${table(
          [WORDS.topic[locale], WORDS.direction[locale], WORDS.about[locale]],
          topics.map(({ channel, direction }) => [
            html`<a href="#${channel.address}"><code>${channel.address}</code></a>`,
            WORDS[direction][locale],
            html`<span lang="en">${inline(channel.summary, locale)}</span>`,
          ]),
        )}
        ${topics.map((topic) => sectionOf(topic, locale))}
        <h2>${WORDS.schemas[locale]}</h2>
        ${Object.entries(document.components.schemas).map(
          ([name, schema]) => html`
            <h3 id="${anchorOf(name)}">${name}</h3>
            ${english(schema.description, locale)} ${schemaTable(schema, locale)}
          `,
        )}
      `;
    },
  });

interface Topic {
  channel: Channel;
  direction: 'send' | 'receive';
  messages: { message: Message; payload: JsonSchema }[];
}

function topicOf({ operations, components }: AsyncApi, id: string, channel: Channel): Topic {
  const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);
  const operation = Object.values(operations).find((one) => one.channel.$ref === `#/channels/${id}`);
  return {
    channel,
    direction: operation?.action ?? 'send',
    messages: Object.values(channel.messages).map(({ $ref }) => {
      const message = components.messages[nameIn($ref)] as Message;
      const { payload } = message;
      return { message, payload: (payload.$ref && components.schemas[nameIn(payload.$ref)]) || payload };
    }),
  };
}

function sectionOf({ channel, messages }: Topic, locale: Locale): Markup {
  const { address, description, bindings } = channel;
  const facts = [
    [
      WORDS.key,
      html`<span lang="en">${inline(messages[0]?.message.bindings.kafka.key.description ?? '', locale)}</span>`,
    ],
    [WORDS.partitions, bindings.kafka.partitions],
    [WORDS.kept, keptFor(channel, locale)],
  ] as const;
  return html`<section>
    <h2 id="${address}"><code>${address}</code></h2>
    ${english(description, locale)}
    <dl>
      ${facts.map(
        ([word, fact]) =>
          html`<dt>${word[locale]}</dt>
            <dd>${fact}</dd>`,
      )}
    </dl>
    ${messages.map(
      ({ message, payload }) => html`
        <h3><code>${message.name}</code></h3>
        ${english(message.summary, locale)}
        <h4>${WORDS.headers[locale]}</h4>
        ${schemaTable(message.headers, locale)}
        <h4>${WORDS.value[locale]}</h4>
        ${schemaTable(payload, locale)}
        ${message.examples.map(
          (example) => html`
            <h4>${WORDS.example[locale]}</h4>
            ${english(example.summary, locale)} ${sample(JSON.stringify(example.payload, null, 2))}
          `,
        )}
      `,
    )}
  </section>`;
}

function keptFor({ bindings }: Channel, locale: Locale): string {
  const { 'cleanup.policy': policy, 'retention.ms': retention } = bindings.kafka.topicConfiguration;
  if (policy.includes('compact')) return WORDS.compacted[locale];
  const days = Number(retention) / DAY_MS;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
}

const english = (text: string | undefined, locale: Locale): Markup | null =>
  text === undefined ? null : html`<div lang="en">${block(text, locale)}</div>`;
