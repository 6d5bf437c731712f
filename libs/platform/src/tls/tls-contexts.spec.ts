import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeAuthority } from '@po/testing/certificates';
import { verifiedTls } from './tls-contexts.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'po-tls-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a CA file that changes', () => {
  it.each([
    ['empty', ''],
    ['half written', '-----BEGIN CERTIFICATE-----\nMIIB'],
  ])('leaves the previous CAs in use while it is %s', async (_state, content) => {
    const ca = join(folder, 'ca.crt');
    const [first, second] = [await makeAuthority('first'), await makeAuthority('second')];
    await writeFile(ca, first.ca);
    const problems: string[] = [];
    const tls = verifiedTls('test', { ca }, ({ message }) => problems.push(message));
    const usable = tls.secureContext;
    await writeFile(ca, content);
    expect(tls.secureContext).toBe(usable);
    expect(problems).toEqual([`${ca}: there is no certificate in it`]);
    await writeFile(ca, second.ca);
    expect(tls.secureContext).not.toBe(usable);
    expect(problems).toHaveLength(1);
  });
});
