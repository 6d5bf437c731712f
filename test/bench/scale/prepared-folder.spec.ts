import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Contents, copyStack, keepStack, requireNothingIn, requirePrepared } from './prepared-folder.js';

const CONTENTS: Contents = {
  orders: 5,
  cells: 50,
  vendors: 2,
  seed: 1,
  largeOrders: 3,
  migrations: ['First', 'Second'],
};

describe('a prepared stack', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'po-prepared-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const inFolder = (...path: string[]) => join(folder, ...path);
  const write = async (path: string) => {
    await mkdir(dirname(inFolder(path)), { recursive: true });
    await writeFile(inFolder(path), path);
  };
  const KEPT = ['data/postgres/base/1', 'data/kafka/log/x-0/0.log', 'stores/lib/kafka.jar', 'keys.json'];
  const keep = async () => {
    for (const path of [...KEPT, 'logs/kafka.log', 'data/redis/dump', 'stack.json']) await write(`stack/${path}`);
    await keepStack(inFolder('stack'), inFolder('kept'), CONTENTS);
  };

  it('is copied without what a start makes anew', async () => {
    await keep();
    await copyStack(inFolder('kept'), inFolder('copy'));
    for (const path of KEPT) expect(await readFile(inFolder('copy', path), 'utf8')).toBe(`stack/${path}`);
    for (const path of ['logs/kafka.log', 'data/redis/dump', 'stack.json', 'prepared.json']) {
      await expect(readFile(inFolder('copy', path))).rejects.toThrow('ENOENT');
    }
  });

  it('is the one that is asked for, or refused with what differs', async () => {
    await keep();
    await requirePrepared(inFolder('kept'), CONTENTS);
    const other = { ...CONTENTS, orders: 6, migrations: ['Second', 'Third'] };
    await expect(requirePrepared(inFolder('kept'), other)).rejects.toThrow(
      'has orders 5 instead of 6; migrations that are not of this checkout: First; not these migrations: Third',
    );
    await expect(requirePrepared(inFolder('stack'), CONTENTS)).rejects.toThrow('holds no prepared stack');
  });

  it('is kept in a folder of its own, from stores of this machine', async () => {
    await keep();
    await requireNothingIn(inFolder('new'));
    await expect(requireNothingIn(inFolder('kept'))).rejects.toThrow('is not empty');
    await expect(keepStack(inFolder('kept/stores'), inFolder('new'), CONTENTS)).rejects.toThrow('lies in containers');
  });
});
