import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A listener that authenticates clients, in addition to the plain listener that brokers and controllers use. */
export interface SecuredListener {
  /** Name in capitals, such as `SASL`. */
  name: string;
  port: number;
  /** The broker's certificate and key as PEM texts. */
  identity: { cert: string; key: string };
  /** Certificates of the clients' authority; clients without a certificate are refused. If absent, none is required. */
  clientCa?: string;
  /** Enables SASL. Clients must reauthenticate after `reauthenticateMs` milliseconds; never if absent. */
  sasl?: { reauthenticateMs?: number };
}

export interface KafkaSecurity {
  listeners: readonly SecuredListener[];
  /** Passwords by user name, for every SASL mechanism. */
  users: Readonly<Record<string, string>>;
  /** Whether ACLs apply to users. Clients of the plain listener have all permissions. */
  authorizes: boolean;
}

const SCRAM = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];

/** Arguments for the users, for the tool that formats a broker's data folder. */
export const scramArguments = ({ users }: KafkaSecurity): string[] =>
  Object.entries(users).flatMap(([name, password]) =>
    SCRAM.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${name},password=${password}]`]),
  );

/** Broker properties of the secured listeners, and additions to `listeners` and `listener.security.protocol.map`. */
export async function securedBy(
  { listeners, users, authorizes }: KafkaSecurity,
  { folder, host }: { folder: string; host: string },
): Promise<{ properties: string[]; listeners: string[]; protocols: string[] }> {
  const own = await Promise.all(
    listeners.map((listener) => propertiesOf(listener, users, join(folder, 'certificates'))),
  );
  const access = [
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'allow.everyone.if.no.acl.found=false',
    'super.users=User:ANONYMOUS',
  ];
  return {
    // The principal of a certificate is its common name.
    properties: [
      String.raw`ssl.principal.mapping.rules=RULE:^CN=([^,]+).*$/$1/,DEFAULT`,
      ...own.flat(),
      ...(authorizes ? access : []),
    ],
    listeners: listeners.map(({ name, port }) => `${name}://${host}:${port}`),
    protocols: listeners.map(({ name, sasl }) => `${name}:${sasl ? 'SASL_SSL' : 'SSL'}`),
  };
}

async function propertiesOf(
  { name, identity, clientCa, sasl }: SecuredListener,
  users: KafkaSecurity['users'],
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const keystore = join(folder, `${name}.pem`);
  await writeFile(keystore, `${identity.key.trimEnd()}\n${identity.cert}`, { mode: 0o600 });
  const lines = ['ssl.keystore.type=PEM', `ssl.keystore.location=${keystore}`];
  if (clientCa) {
    const truststore = join(folder, `${name}-clients.pem`);
    await writeFile(truststore, clientCa);
    lines.push('ssl.client.auth=required', 'ssl.truststore.type=PEM', `ssl.truststore.location=${truststore}`);
  }
  if (sasl) lines.push(...saslLines(users, sasl));
  return lines.map((line) => `listener.name.${name.toLowerCase()}.${line}`);
}

function saslLines(users: KafkaSecurity['users'], { reauthenticateMs = 0 }: { reauthenticateMs?: number }): string[] {
  const modules = 'org.apache.kafka.common.security';
  const plain = Object.entries(users).map(([user, password]) => ` user_${user}="${password}"`);
  const mechanisms = [...SCRAM, 'PLAIN'];
  return [
    `sasl.enabled.mechanisms=${mechanisms.join(',')}`,
    ...SCRAM.map(
      (mechanism) => `${mechanism.toLowerCase()}.sasl.jaas.config=${modules}.scram.ScramLoginModule required;`,
    ),
    `plain.sasl.jaas.config=${modules}.plain.PlainLoginModule required${plain.join('')};`,
    ...mechanisms.map((mechanism) => `${mechanism.toLowerCase()}.connections.max.reauth.ms=${reauthenticateMs}`),
  ];
}
