import { GROUPS, topicSettings } from '@po/contracts';
import { type ExampleFile, readExamples } from '#local/example-messages.js';
import type { JsonSchema } from './json-schema.js';
import { DEAD_LETTER_HEADERS, MESSAGES, type Message, schemasOf } from './messages.js';
import { DEAD_LETTER_KEY, TOPIC_GUIDES, type TopicGuide, answersOf, manifestOf } from './topics.js';

const BINDING = { bindingVersion: '0.5.0' };
const KEY = { type: 'string', pattern: '^[A-Z0-9][A-Z0-9._-]{0,39}$' };
const DEAD_LETTER = 'DeadLetter';
const SECURITY = {
  scramSha512: {
    type: 'scramSha512',
    description: 'SASL, if your platform requires it. The platform also decides who may read what.',
  },
  scramSha256: { type: 'scramSha256', description: 'SASL, if your platform requires it.' },
  plain: { type: 'plain', description: 'SASL over TLS, if your platform requires it.' },
  certificate: { type: 'X509', description: 'A client certificate. The local stack requires no authentication.' },
};

const DESCRIPTION =
  `Kafka topics for other systems. The service sends every record at least once and in order per key; no change that it answered with 2xx
over HTTP is missing. A record with the header \`x-redriven-from\` was redriven, late and out of order: drop it if you have its
\`ce_id\`. Nothing is removed, renamed or redefined: that requires a new topic, \`.v2\`, next to the existing one.
Records are CloudEvents 1.0 in the Kafka binary binding; records of the inventory system have their type in the header
\`type\`. The folder \`examples\` next to this document has more examples of each message, which the tests verify, and consumers in
TypeScript, Python, Java and Go.`.replaceAll('\n', ' ');

/** AsyncAPI 3.0 document of the topics for other systems, generated from the topic manifest and the schemas that parse the records. */
export function asyncApi() {
  const examples = readExamples();
  const values = MESSAGES.map((message) => ({ message, ...schemasOf(message) }));
  const all: Record<string, JsonSchema> = Object.assign({}, ...values.map(({ schemas }) => schemas));
  const messages = Object.fromEntries(
    values.map(({ message, name }) => [name, messageObject(message, name, all[name]?.description, examples)]),
  );
  const namesOf = (topic: string) => values.filter(({ message }) => message.topic === topic).map(({ name }) => name);
  const channels = TOPIC_GUIDES.map((guide) => {
    const names = guide.parameters ? [DEAD_LETTER] : namesOf(guide.topic);
    return { guide, id: guide.operation.replace(/^(?:receive|send)/, ''), names };
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Purchase Order Collaboration',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: '{brokers}',
        protocol: 'kafka',
        description: 'The brokers of your platform. With `npm start`, `.local/stack.json` has their address.',
        variables: { brokers: { default: '127.0.0.1:9092', description: 'host:port of any broker.' } },
      },
    },
    channels: Object.fromEntries(channels.map(({ guide, id, names }) => [id, channelObject(guide, names)])),
    operations: Object.fromEntries(
      channels.map(({ guide, id, names }) => [guide.operation, operationObject(guide, id, names)]),
    ),
    components: {
      securitySchemes: SECURITY,
      messages: { ...messages, [DEAD_LETTER]: deadLetter(examples) },
      schemas: sorted(all),
    },
  };
}

function messageObject(
  { type, topic, headers, example }: Message,
  name: string,
  summary: unknown,
  examples: ExampleFile[],
) {
  return {
    name: type,
    title: type,
    summary,
    contentType: 'application/json',
    headers,
    payload: { $ref: `#/components/schemas/${name}` },
    bindings: { kafka: { key: { description: 'The PO number.', ...KEY }, ...BINDING } },
    examples: examples.filter(({ path }) => path === `${topic}/${example}.json`).map(exampleObject),
  };
}

const deadLetter = (all: ExampleFile[]) => ({
  name: 'dead-letter',
  title: 'Dead letter',
  summary: 'An unchanged record of any type, with the reason and its original position.',
  headers: DEAD_LETTER_HEADERS,
  payload: { description: 'The bytes of the record; often not JSON, which may be the reason.' },
  bindings: { kafka: { key: { description: DEAD_LETTER_KEY }, ...BINDING } },
  examples: all.filter(({ topic }) => topic.endsWith('.dlq.v1')).map(exampleObject),
});

const exampleObject = ({ path, message: { about, headers, value } }: ExampleFile) => ({
  name: path.replace(/^.*\/|\.json$/g, ''),
  summary: about,
  headers,
  payload: value,
});

function channelObject(guide: TopicGuide, names: readonly string[]) {
  const { topic, address, parameters, summary } = guide;
  const manifest = manifestOf(guide);
  const {
    'cleanup.policy': cleanup,
    'retention.ms': retention,
    ...settings
  } = topicSettings({ ...manifest, minInsync: 2 });
  return {
    address,
    title: address,
    summary,
    description: Object.entries(answersOf(guide))
      .map(([question, answer]) => `**${question}.** ${answer}`)
      .join('\n\n'),
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    ...(parameters ? { parameters } : {}),
    bindings: {
      kafka: {
        ...(parameters ? {} : { topic }),
        partitions: manifest.partitions,
        topicConfiguration: {
          'cleanup.policy': [cleanup],
          ...(retention === undefined ? {} : { 'retention.ms': Number(retention) }),
          'max.message.bytes': Number(settings['max.message.bytes']),
        },
        ...BINDING,
      },
    },
  };
}

const operationObject = ({ action, summary }: TopicGuide, id: string, names: readonly string[]) => ({
  action,
  channel: { $ref: `#/channels/${id}` },
  summary,
  security: Object.keys(SECURITY).map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
  ...(action === 'receive'
    ? { bindings: { kafka: { groupId: { type: 'string', enum: [GROUPS.inventory] }, ...BINDING } } }
    : {}),
  messages: names.map((name) => ({ $ref: `#/channels/${id}/messages/${name}` })),
});

const sorted = (schemas: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
