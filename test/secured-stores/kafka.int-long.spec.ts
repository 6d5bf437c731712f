import { randomUUID } from 'node:crypto';
import { copyFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type IncomingRecord, type KafkaSettings, connectKafka } from '@po/messaging';
import { pino } from 'pino';
import { type Authority, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { eventually } from '@po/testing/eventually';
import { describeKafkaPort } from '../../libs/messaging/src/fixtures/kafka-port-contract.js';
import { newTopic } from '../../libs/messaging/src/fixtures/new-topic.js';
import { type SecuredKafka, startSecuredKafka } from '../support/secured-kafka.js';

const PASSWORD = 'correct horse';
const WRONG = 'wrong battery';
/** Shorter than in production, so that the connections of these tests reauthenticate several times. */
const REAUTHENTICATE_MS = 2_500;

let authority: Authority;
let stranger: Authority;
let broker: SecuredKafka;

beforeAll(async () => {
  [authority, stranger] = await Promise.all([makeAuthority('authority'), makeAuthority('stranger')]);
  const identity = await authority.certify('kafka');
  broker = await startSecuredKafka(
    [
      { name: 'SASL', identity, sasl: { reauthenticateMs: REAUTHENTICATE_MS } },
      { name: 'MTLS', identity, clientCa: authority.ca },
      { name: 'ENDED', identity: await authority.certify('kafka', { days: -1 }) },
      { name: 'ELSEWHERE', identity: await authority.certify('kafka', { names: ['kafka.example.com'] }) },
    ],
    { users: { somebody: PASSWORD }, authorizes: false },
  );
  await writeIdentity(folderOf('somebody'), authority, await authority.certify('somebody'));
  await writeIdentity(folderOf('stranger'), stranger, await stranger.certify('somebody'));
  await writeIdentity(folderOf('ended'), authority, await authority.certify('somebody', { days: -1 }));
});
afterAll(() => broker?.stop());

const folderOf = (name: string) => join(broker.folder, name);
const fileOf = (name: string, file: 'ca.crt' | 'tls.crt' | 'tls.key') => join(folderOf(name), file);

const tls = (listener: string, changes: Partial<KafkaSettings> = {}): KafkaSettings => ({
  KAFKA_BROKERS: [broker.at(listener)],
  KAFKA_SSL: true,
  KAFKA_SSL_CA_FILE: fileOf('somebody', 'ca.crt'),
  ...changes,
});
const scram = (changes: Partial<KafkaSettings> = {}): KafkaSettings =>
  tls('SASL', {
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: 'somebody',
    KAFKA_SASL_PASSWORD: PASSWORD,
    ...changes,
  });
const certified = (name = 'somebody'): KafkaSettings =>
  tls('MTLS', {
    KAFKA_SSL_CERT_FILE: fileOf(name, 'tls.crt'),
    KAFKA_SSL_KEY_FILE: fileOf(name, 'tls.key'),
  });

const silent = pino({ level: 'silent' });
const open = (settings: KafkaSettings) => connectKafka(settings, 'secured', silent);

/** Error message of a connection attempt; null if it succeeds. */
async function refusalOf(producer: { connect(): Promise<void> }): Promise<string | null> {
  return producer.connect().then(
    () => null,
    (error: Error) => error.message,
  );
}

async function refusal(settings: KafkaSettings): Promise<string | null> {
  const producer = open(settings).producer({ acks: 'all' });
  return refusalOf(producer).finally(() => producer.disconnect());
}

describeKafkaPort('KafkaJS with SCRAM over TLS', () => open(scram()));

describe('a Kafka broker with authentication', () => {
  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'accepts only the right password with %s',
    async (KAFKA_SASL_MECHANISM) => {
      expect(await refusal(scram({ KAFKA_SASL_MECHANISM }))).toBeNull();
      const message = await refusal(scram({ KAFKA_SASL_MECHANISM, KAFKA_SASL_PASSWORD: WRONG }));
      expect(message).toMatch(/^SASL (PLAIN|SCRAM SHA256|SCRAM SHA512) authentication failed: /);
      expect(message).not.toContain(WRONG);
    },
  );

  const UNTRUSTED = "the broker's certificate is not from a trusted CA (KAFKA_SSL_CA_FILE): ";
  const REJECTED = "the broker rejects this client's certificate, or requires one (KAFKA_SSL_CERT_FILE): ";
  it.each<[what: string, settings: () => KafkaSettings, told: string]>([
    ['the client trusts only another CA', () => scram({ KAFKA_SSL_CA_FILE: fileOf('stranger', 'ca.crt') }), UNTRUSTED],
    ['its CA is not built into Node.js', () => scram({ KAFKA_SSL_CA_FILE: undefined }), UNTRUSTED],
    ['its certificate has expired', () => tls('ENDED'), 'certificate has expired'],
    ['its certificate has another host name', () => tls('ELSEWHERE'), "IP: 127.0.0.1 is not in the cert's list"],
    ['only the client uses TLS', () => tls('', { KAFKA_BROKERS: [broker.plain] }), 'it may not use TLS (KAFKA_SSL)'],
    ['only the broker uses TLS', () => scram({ KAFKA_SSL: false }), 'the broker requires TLS: set KAFKA_SSL=true'],
    ['it requires a client certificate', () => tls('MTLS'), REJECTED],
    ['the client certificate is from another CA', () => certified('stranger'), REJECTED],
    ['the client certificate has expired', () => certified('ended'), REJECTED],
    ['it requires a password', () => tls('SASL'), 'Closed connection'],
    [
      'it expects no password',
      () => scram({ KAFKA_SSL: false, KAFKA_BROKERS: [broker.plain] }),
      'the current SASL state',
    ],
    ['it does not know the user', () => scram({ KAFKA_SASL_USERNAME: 'nobody' }), 'invalid credentials'],
    ['a certificate file is missing', () => scram({ KAFKA_SSL_CA_FILE: fileOf('nobody', 'ca.crt') }), 'ENOENT'],
  ])('cannot be connected to if %s, and the error states the reason', async (_what, settings, message) => {
    expect(await refusal(settings())).toContain(message);
  });

  it('receives the client certificate that its file has at connection time, even if the former one was unusable', async () => {
    await writeIdentity(folderOf('renewed'), stranger, await stranger.certify('somebody'));
    const producer = open({
      ...certified('renewed'),
      KAFKA_SSL_CA_FILE: fileOf('renewed', 'ca.crt'),
    }).producer({ acks: 'all' });
    expect(await refusalOf(producer)).toContain(UNTRUSTED);
    await copyFile(fileOf('somebody', 'ca.crt'), fileOf('renewed', 'ca.crt'));
    expect(await refusalOf(producer)).toContain(REJECTED);
    await truncate(fileOf('renewed', 'tls.crt'), 100);
    expect(await refusalOf(producer)).toContain('Failed to connect: ');
    await copyFile(fileOf('somebody', 'tls.crt'), fileOf('renewed', 'tls.crt'));
    expect(await refusalOf(producer)).toContain('key values mismatch');
    await copyFile(fileOf('somebody', 'tls.key'), fileOf('renewed', 'tls.key'));
    expect(await refusalOf(producer)).toBeNull();
    // An open connection stays open.
    await truncate(fileOf('renewed', 'tls.crt'), 100);
    expect(await refusalOf(producer)).toBeNull();
    await producer.disconnect();
  });

  it('receives the password that its file has at each reauthentication, before the session expires', async () => {
    const path = join(broker.folder, 'password');
    await writeFile(path, `${PASSWORD}\n`);
    const kafka = open(scram({ KAFKA_SASL_PASSWORD: undefined, KAFKA_SASL_PASSWORD_FILE: path }));
    const topic = await newTopic(kafka);
    const read: IncomingRecord[] = [];
    const consumer = kafka.consumer({ group: topic, topics: [topic], from: 'earliest' });
    await consumer.start({
      onRecords: (records) => read.push(...records),
    });
    const producer = kafka.producer({ acks: 'all' });
    await producer.connect();
    const sent: string[] = [];
    const send = async () => {
      const value = randomUUID();
      await producer.send([{ topic, key: null, value, headers: {} }]);
      sent.push(value);
    };
    const refused = () =>
      send().then(
        () => false,
        (error: Error) => String((error.cause as Error | undefined)?.message ?? error.message),
      );
    try {
      await send();
      await writeFile(path, WRONG);
      expect(await eventually('the client reauthenticates', refused)).toContain('invalid credentials');
      await writeFile(path, PASSWORD);
      await eventually('the password is accepted again', () => send().then(() => true));
      await eventually('all sent records are read', () => {
        const values = new Set(read.map(({ value }) => String(value)));
        return sent.every((value) => values.has(value));
      });
    } finally {
      await Promise.all([consumer.stop(), producer.disconnect()]);
    }
  });
});
