import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Gauge } from 'prom-client';

/** Paths of PEM files: trusted CAs and the client's own identity. */
export interface TlsFiles {
  /** Certificates of the trusted CAs, which replace those built into Node.js. */
  ca?: string | undefined;
  /** The client's certificate, followed by its intermediates. */
  cert?: string | undefined;
  /** The client's private key. */
  key?: string | undefined;
}

/** Contents of the files under the names of `node:tls`; files that are not configured are absent. */
export type TlsMaterial = { [File in keyof TlsFiles]?: string };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const watched = new Map<string, { use: string; file: 'ca' | 'cert'; path: string }>();

new Gauge({
  name: 'tls_certificate_expiry_timestamp_seconds',
  help: 'Expiry of a configured certificate file: of its last CA certificate (ca) or of the client certificate (cert)',
  labelNames: ['use', 'file'],
  collect() {
    for (const { use, file, path } of watched.values()) this.set({ use, file }, expiryOf(path, file));
  },
});

/**
 * Returns a function that reads the files and throws if it cannot, or if `ca` has no certificate. Call it for every new connection, so that renewed certificates are
 * used without a restart, whether they were written in place or their folder was replaced.
 * @param use label of the expiry metric: `kafka`, `postgresql` or `redis`
 */
export function tlsFiles(use: string, files: TlsFiles): () => TlsMaterial {
  for (const file of ['ca', 'cert'] as const) {
    const path = files[file];
    if (path) watched.set(`${use} ${file}`, { use, file, path });
  }
  const configured = Object.entries(files).filter(([, path]) => Boolean(path)) as [keyof TlsFiles, string][];
  const read = (file: keyof TlsFiles, path: string) =>
    file === 'ca' ? readAuthorities(path) : readFileSync(path, 'utf8');
  return () => Object.fromEntries(configured.map(([file, path]) => [file, read(file, path)]));
}

/** Returns the content of a CA file. Throws without a certificate: Node.js would trust all public CAs, or none. */
export function readAuthorities(path: string): string {
  const pem = readFileSync(path, 'utf8');
  try {
    certificatesIn(pem);
  } catch (cause) {
    throw new Error(`${path}: ${(cause as Error).message}`, { cause });
  }
  return pem;
}

// In a bundle, the CAs that expire first may already be replaced, so the last expiry counts. NaN if the file is unreadable.
function expiryOf(path: string, file: 'ca' | 'cert'): number {
  try {
    const ends = certificatesIn(readFileSync(path, 'utf8')).map(({ validToDate }) => validToDate.getTime() / 1_000);
    return file === 'ca' ? Math.max(...ends) : (ends[0] ?? Number.NaN);
  } catch {
    return Number.NaN;
  }
}

/** Returns the certificates of a PEM text in their order. Throws if one is invalid or there is none. */
export function certificatesIn(pem: string): X509Certificate[] {
  const found = (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
  if (found.length === 0) throw new Error('there is no certificate in it');
  return found;
}
