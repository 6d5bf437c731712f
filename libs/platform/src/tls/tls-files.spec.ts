import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TLSSocket, connect, createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Authority, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { metricsRegistry } from '../process/telemetry.js';
import { certificatesIn, tlsFiles } from './tls-files.js';

const DAY_S = 86_400;
let dir: string;
let authority: Authority;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-tls-'));
  authority = await makeAuthority('authority');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const daysLeft = async (use: string) => {
  const metric = await metricsRegistry.getSingleMetric('tls_certificate_expiry_timestamp_seconds')?.get();
  const values = (metric?.values ?? []).filter(({ labels }) => labels['use'] === use);
  return Object.fromEntries(
    values.map(({ labels, value }) => [labels['file'], Math.round((value - Date.now() / 1_000) / DAY_S)]),
  );
};

describe('certificate files', () => {
  it('are not read if none are configured', async () => {
    expect(tlsFiles('none', { ca: undefined })()).toEqual({});
    expect(await daysLeft('none')).toEqual({});
  });

  it('are read again for each connection, even if their folder was replaced', async () => {
    const server = createServer({
      ...(await authority.certify('server')),
      ca: authority.ca,
      requestCert: true,
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const folder = join(dir, 'mounted');
    const files = await writeIdentity(folder, authority, await authority.certify('first'));
    const read = tlsFiles('test', files);
    const nameSeen = async () => {
      const seen = once(server, 'secureConnection') as Promise<[TLSSocket]>;
      const client = connect({ port, host: '127.0.0.1', ...read() });
      const [socket] = await seen;
      const { CN } = socket.getPeerCertificate().subject;
      client.destroy();
      socket.destroy();
      return CN;
    };
    expect(await nameSeen()).toBe('first');
    await writeIdentity(`${folder}.new`, authority, await authority.certify('second', { days: 3 }));
    await rename(folder, `${folder}.old`);
    await rename(`${folder}.new`, folder);
    expect(await nameSeen()).toBe('second');
    server.close();
  });

  it('have an expiry metric for the client certificate and for the CA that expires last', async () => {
    const identity = await authority.certify('client', { days: 5 });
    const files = await writeIdentity(join(dir, 'ending'), authority, identity);
    await writeFile(files.ca, (await authority.certify('old', { days: 1 })).cert + authority.ca);
    await writeFile(files.cert, identity.cert + authority.ca);
    tlsFiles('ending', files);
    expect(await daysLeft('ending')).toEqual({ ca: 30, cert: 5 });
    await writeFile(files.cert, (await authority.certify('client', { days: 9 })).cert);
    expect((await daysLeft('ending'))['cert']).toBe(9);
    await rm(files.cert);
    expect((await daysLeft('ending'))['cert']).toBeNaN();
  });

  it('must contain at least one certificate', async () => {
    const { key } = await authority.certify('client');
    expect(() => certificatesIn(key)).toThrow('there is no certificate in it');
    expect(certificatesIn(authority.ca + authority.ca)).toHaveLength(2);
  });
});
