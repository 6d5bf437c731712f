import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Processes } from '../processes/processes.js';
import { chooseInfrastructure, mailsIn, removeData, startInfrastructure } from './infrastructure.js';

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

it('startInfrastructure names the stores without Docker if Docker was not requested and cannot start them', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'po-no-image-'));
  await writeFile(join(dir, 'docker'), '#!/bin/sh\n', { mode: 0o755 });
  process.env['PATH'] = `${dir}:${process.env['PATH']}`;
  const start = (infrastructure: 'docker' | null) =>
    startInfrastructure({
      dir,
      cache: dir,
      settings: { infrastructure, external: {} },
      processes: new Processes(dir),
      docker: () => Promise.reject(new Error('failed to resolve reference')),
      fresh: false,
      step: (_label, work) => work(),
    });
  await expect(start(null)).rejects.toThrow(
    /^failed to resolve reference\nPO_INFRA=embedded starts stores without Docker$/,
  );
  await expect(start('docker')).rejects.toThrow(/^failed to resolve reference$/);
  await rm(dir, { recursive: true });
});
