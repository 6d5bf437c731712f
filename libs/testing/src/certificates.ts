// Must be loaded before @peculiar/x509.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  type X509CertificateCreateSelfSignedParams,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A certificate and its private key (PKCS #8), as PEM texts. */
export interface Identity {
  cert: string;
  key: string;
}

/** A certificate authority for one test, which issues certificates for servers and clients. No other machine trusts it. */
export interface Authority {
  /** The authority's own certificate, as PEM. */
  ca: string;
  /**
   * Issues a certificate for a common name and the names and addresses of the server.
   * @param days validity in days; negative for an expired certificate
   */
  certify(commonName: string, options?: { names?: readonly string[]; days?: number }): Promise<Identity>;
}

// The key types of the library have fewer usages than those of Node.
type Keys = X509CertificateCreateSelfSignedParams['keys'];

const newKeys = async () => (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as Keys;
const serialNumber = () => `01${randomBytes(8).toString('hex')}`;
const validity = (days: number) => ({
  notBefore: new Date(Date.now() - 2 * DAY_MS),
  notAfter: new Date(Date.now() + days * DAY_MS),
});

/** Creates an authority. Authorities with the same name do not trust each other's certificates. */
export async function makeAuthority(name: string): Promise<Authority> {
  const keys = await newKeys();
  const own = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(30),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    ca: own.toString('pem'),
    certify: (commonName, options) => certify(own, keys.privateKey, commonName, options),
  };
}

async function certify(
  issuer: X509Certificate,
  signingKey: Keys['privateKey'],
  commonName: string,
  { names = ['localhost', '127.0.0.1'], days = 7 }: { names?: readonly string[]; days?: number } = {},
): Promise<Identity> {
  const { publicKey, privateKey } = await newKeys();
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${commonName}`,
    issuer: issuer.subject,
    publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    ...validity(days),
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }) as const)),
    ],
  });
  const key = PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', privateKey as webcrypto.CryptoKey),
    'PRIVATE KEY',
  );
  return { cert: certificate.toString('pem'), key };
}

/** Paths of the PEM files of an identity. */
export type IdentityFiles = Record<'ca' | 'cert' | 'key', string>;

/**
 * Writes `ca.crt`, `tls.crt` and `tls.key` into a folder, like a mounted Kubernetes Secret with a certificate. Overwrites existing files.
 * Only the owner can read the key.
 */
export async function writeIdentity(folder: string, { ca }: Authority, identity: Identity): Promise<IdentityFiles> {
  await mkdir(folder, { recursive: true });
  const files = { ca: join(folder, 'ca.crt'), cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  await writeFile(files.ca, ca);
  await writeFile(files.cert, identity.cert);
  await writeFile(files.key, identity.key, { mode: 0o600 });
  return files;
}
