import { readFileSync } from 'node:fs';
import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type kafkaSettings, messageOf, passwordIn, tlsFiles } from '@po/platform';
import type { ISocketFactory, SASLOptions } from 'kafkajs';
import type { z } from 'zod';
import { hostOf } from './addresses.js';

type AllSettings = z.infer<z.ZodObject<typeof kafkaSettings>>;

/** The settings of a Kafka client. With only the brokers, it uses plain text without authentication. */
export type KafkaSettings = Pick<AllSettings, 'KAFKA_BROKERS'> & Partial<AllSettings>;

/** The first byte of a TLS alert: the only answer of a TLS listener to plain text. */
const TLS_ALERT = 0x15;

/** Socket factory that reads the certificate files for each connection, so that unusable files fail only that connection. */
export function socketsOf(settings: KafkaSettings): ISocketFactory {
  const filesNow = tlsFiles('kafka', {
    ca: settings.KAFKA_SSL_CA_FILE,
    cert: settings.KAFKA_SSL_CERT_FILE,
    key: settings.KAFKA_SSL_KEY_FILE,
  });
  return ({ host: asked, port, ssl, onConnect }) => {
    const host = hostOf(asked);
    // SNI takes a host name. IP addresses are forbidden there (RFC 6066), and servers refuse them.
    const named = isIP(host) ? {} : { servername: host };
    const socket = ssl
      ? explainTlsErrors(
          // Explicit, because otherwise NODE_TLS_REJECT_UNAUTHORIZED could disable the verification.
          connectTls({ host, port, rejectUnauthorized: true, ...named, ...filesNow() }, onConnect),
        )
      : rejectTlsAlert(connectTcp({ host, port }, onConnect));
    // KafkaJS reports only the message.
    socket.on('error', (error) => (error.message = messageOf(error)));
    // Nagle's algorithm would hold small replies back for up to 40 ms.
    return socket.setNoDelay(true).setKeepAlive(true, 60_000);
  };
}

/** Causes of TLS errors by error code. */
const CAUSES: readonly (readonly [code: RegExp, cause: string])[] = [
  [/ALERT/, "the broker rejects this client's certificate, or requires one (KAFKA_SSL_CERT_FILE)"],
  [/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/, "the broker's certificate is not from a trusted CA (KAFKA_SSL_CA_FILE)"],
  [/^ECONNRESET$/, 'the broker closed the connection; it may not use TLS (KAFKA_SSL)'],
];

// The original messages do not help: OpenSSL names a line of its source, and Node.js one of its own options.
function explainTlsErrors(socket: Socket): Socket {
  return socket.on('error', (error: NodeJS.ErrnoException) => {
    const cause = CAUSES.find(([code]) => code.test(error.code ?? ''))?.[1];
    if (cause) error.message = `${cause}: ${messageOf(error).trim()}`;
  });
}

// KafkaJS would read the alert as the start of a response and report only that the connection was closed.
function rejectTlsAlert(socket: Socket): Socket {
  return socket.once('data', (bytes: Buffer) => {
    if (bytes[0] === TLS_ALERT) socket.destroy(new Error('the broker requires TLS: set KAFKA_SSL=true'));
  });
}

/** SASL credentials. The password file is read at each authentication. Undefined without a mechanism. */
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
