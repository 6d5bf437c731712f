import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { chooseInfrastructure, mailsIn, removeData } from './infrastructure.js';

const place = { dir: '/nowhere', cache: '/nowhere' };
const external = {
  kafkaBrokers: '127.0.0.1:1',
  databaseUrl: 'postgres://x@127.0.0.1:1/x',
  redisUrl: 'redis://127.0.0.1:1',
};

describe('the choice of stores', () => {
  it('uses the configured stores if all three are configured', async () => {
    await expect(chooseInfrastructure({ ...place, settings: { infrastructure: null, external } })).resolves.toBe(
      'external',
    );
  });

  it('fails and names the missing settings if the requested kind is not available', async () => {
    const partly = { kafkaBrokers: external.kafkaBrokers };
    await expect(
      chooseInfrastructure({ ...place, settings: { infrastructure: 'external', external: partly } }),
    ).rejects.toThrow(/external: DATABASE_URL is not set\n.*external: REDIS_URL is not set/);
  });
});

it('removeData removes the data of the stores and the mails about them, and keeps keys, ports and programs', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'po-fresh-'));
  await removeData(dir);
  for (const folder of [join(dir, 'data'), mailsIn(dir)]) {
    await mkdir(folder);
    await writeFile(join(folder, 'file'), '');
  }
  await writeFile(join(dir, 'ports.json'), '');
  await removeData(dir);
  expect(await readdir(dir)).toEqual(['ports.json']);
  await rm(dir, { recursive: true });
});
