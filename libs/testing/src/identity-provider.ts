import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** A key pair of the identity provider: its public JWK, private key and algorithm. */
export interface SigningKey {
  kid: string;
  alg: 'RS256' | 'ES256' | 'EdDSA';
  jwk: Json;
  privateKey: KeyObject;
}

/** Creates a key pair for an algorithm. */
export function signingKey(kid: string, alg: SigningKey['alg'] = 'ES256', modulusLength = 2048): SigningKey {
  const { publicKey, privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength })
      : alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
  return { kid, alg, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }, privateKey };
}

const encode = (part: Json | string | Buffer): string =>
  Buffer.from(typeof part === 'string' || Buffer.isBuffer(part) ? part : JSON.stringify(part)).toString('base64url');

/** Signs any header and payload, even ones that no library would create: a string or buffer is used unchanged. */
export function signedToken(
  key: SigningKey,
  payload: Json | string | Buffer,
  header: Json | string | Buffer = { alg: key.alg, kid: key.kid, typ: 'JWT' },
): string {
  const input = `${encode(header)}.${encode(payload)}`;
  const signature = sign(key.alg === 'EdDSA' ? null : 'sha256', Buffer.from(input), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${input}.${signature.toString('base64url')}`;
}

/** An identity provider that serves real HTTP on a free port. `answer` handles the requests for the key set. */
export class IdentityProvider {
  readonly issuer = 'https://login.example.com/';
  readonly audience = 'po-collaboration';
  /** Requests for the key set so far. */
  fetches = 0;
  keys: SigningKey[] = [signingKey('k1')];
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ keys: this.keys.map(({ jwk }) => jwk) }));
  };
  private readonly server = createServer((request, response) => {
    this.fetches += 1;
    this.answer(request, response);
  });

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/jwks.json`;
  }

  /** Valid claims at present. `overrides` replaces claims; undefined removes one. */
  claims(overrides: Json = {}): Json {
    const now = Math.floor(Date.now() / 1000);
    const { issuer: iss, audience: aud } = this;
    return { iss, aud, sub: 'u-buyer', role: 'BUYER', iat: now, exp: now + 3600, ...overrides };
  }

  /** A token signed with the first key. */
  token(overrides: Json = {}): string {
    return signedToken(this.keys[0] as SigningKey, this.claims(overrides));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
