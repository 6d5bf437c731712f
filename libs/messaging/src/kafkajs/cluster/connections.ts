import { readFileSync } from 'node:fs';
import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type kafkaSettings, passwordIn, tlsFiles } from '@po/platform';
import type { ISocketFactory, SASLOptions } from 'kafkajs';
import type { z } from 'zod';
import { hostOf } from './addresses.js';

type AllSettings = z.infer<z.ZodObject<typeof kafkaSettings>>;

/** The settings of a Kafka client; without any but the brokers it speaks plain text and logs in as nobody. */
export type KafkaSettings = Pick<AllSettings, 'KAFKA_BROKERS'> & Partial<AllSettings>;

/** The first byte of a TLS alert: the only answer of a TLS listener to plain text. */
const TLS_ALERT = 0x15;

/** How connections are opened: each with the certificates that are in the files by then. One whose files cannot be used fails alone. */
export function socketsOf(settings: KafkaSettings): ISocketFactory {
  const filesNow = tlsFiles('kafka', {
    ca: settings.KAFKA_SSL_CA_FILE,
    cert: settings.KAFKA_SSL_CERT_FILE,
    key: settings.KAFKA_SSL_KEY_FILE,
  });
  return ({ host: asked, port, ssl, onConnect }) => {
    const host = hostOf(asked);
    // SNI contains a host name. An IP address is forbidden there (RFC 6066), and servers refuse it.
    const named = isIP(host) ? {} : { servername: host };
    const socket = ssl
      ? explained(connectTls({ host, port, ...named, ...filesNow() }, onConnect))
      : expectingNoTls(connectTcp({ host, port }, onConnect));
    // Nagle's algorithm would hold small replies back for up to 40 ms.
    return socket.setNoDelay(true).setKeepAlive(true, 60_000);
  };
}

/** Meanings of TLS errors, by their codes. */
const CAUSES: readonly (readonly [code: RegExp, cause: string])[] = [
  [/ALERT/, "the broker rejects this client's certificate, or requires one (KAFKA_SSL_CERT_FILE)"],
  [
    /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
    "the broker's certificate is not from a trusted authority (KAFKA_SSL_CA_FILE)",
  ],
  [/^ECONNRESET$/, 'the broker closed the connection; it may not use TLS (KAFKA_SSL)'],
];

// OpenSSL names the line of its source, and Node a switch of its own.
function explained(socket: Socket): Socket {
  return socket.on('error', (error: NodeJS.ErrnoException) => {
    const cause = CAUSES.find(([code]) => code.test(error.code ?? ''))?.[1];
    if (cause) error.message = `${cause}: ${error.message.trim()}`;
  });
}

// KafkaJS would take the alert for the beginning of an answer, and say no more than that the connection was closed.
function expectingNoTls(socket: Socket): Socket {
  return socket.once('data', (bytes: Buffer) => {
    if (bytes[0] === TLS_ALERT) socket.destroy(new Error('the broker requires TLS: set KAFKA_SSL=true'));
  });
}

/** Who one is, with the password that is in its file whenever a broker asks for it. */
export function saslOf(settings: KafkaSettings): SASLOptions | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username } = settings;
  const { KAFKA_SASL_PASSWORD: known, KAFKA_SASL_PASSWORD_FILE: path } = settings;
  if (!mechanism) return undefined;
  return {
    mechanism,
    username,
    get password() {
      return path ? passwordIn(readFileSync(path, 'utf8')) : known;
    },
  } as SASLOptions;
}
