// What @peculiar/x509 registers its parts with needs it first.
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

/** An authority made for one test, which certifies servers and clients; no other machine trusts it. */
export interface Authority {
  /** Its own certificate, as PEM. */
  ca: string;
  /**
   * Certifies who has the common name, and can be reached by the names and addresses.
   * @param days how long it is valid; negative: it has ended
   */
  certify(commonName: string, options?: { names?: readonly string[]; days?: number }): Promise<Identity>;
}

// Its types of keys know fewer uses than Node's.
type Keys = X509CertificateCreateSelfSignedParams['keys'];

const newKeys = async () => (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as Keys;
const serialNumber = () => `01${randomBytes(8).toString('hex')}`;
const validity = (days: number) => ({
  notBefore: new Date(Date.now() - 2 * DAY_MS),
  notAfter: new Date(Date.now() + days * DAY_MS),
});

/** Makes an authority; two of one name do not trust each other's certificates. */
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

/** Paths of the PEM files of one who is certified. */
export type IdentityFiles = Record<'ca' | 'cert' | 'key', string>;

/**
 * Writes `ca.crt`, `tls.crt` and `tls.key` into a folder, as Kubernetes mounts a Secret with a certificate; what is there is written
 * over. The key is readable by its owner alone.
 */
export async function writeIdentity(folder: string, { ca }: Authority, identity: Identity): Promise<IdentityFiles> {
  await mkdir(folder, { recursive: true });
  const files = { ca: join(folder, 'ca.crt'), cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  await writeFile(files.ca, ca);
  await writeFile(files.cert, identity.cert);
  await writeFile(files.key, identity.key, { mode: 0o600 });
  return files;
}
