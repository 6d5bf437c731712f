import { appendFile, mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { archiveLogs, logFile, sourcesIn, truncateLargeLogs } from './log-files.js';

describe('log files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'po-logs-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const all = async () => {
    const names = (await readdir(folder)).toSorted();
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
    );
  };

  it('are named after the service, with a number from the second replica on', () => {
    expect([0, 1, 8].map((replica) => logFile('/logs', 'gateway', replica))).toEqual([
      '/logs/gateway.log',
      '/logs/gateway-2.log',
      '/logs/gateway-9.log',
    ]);
  });

  it('are found by their extension', async () => {
    for (const name of ['kafka.log', 'gateway-2.log', 'gateway.log.1', 'notes.txt'])
      await writeFile(join(folder, name), '');
    expect(await sourcesIn(folder)).toEqual(['gateway-2', 'kafka']);
    expect(await sourcesIn(join(folder, 'nowhere'))).toEqual([]);
  });

  it('are renamed at the next run, and older ones are deleted', async () => {
    for (const run of ['first', 'second', 'third']) {
      await archiveLogs(folder);
      await appendFile(join(folder, 'gateway.log'), run);
    }
    expect(await all()).toEqual({ 'gateway.log': 'third', 'gateway.log.1': 'second' });
  });

  it('are truncated if they are too large, while their process keeps writing', async () => {
    const writer = await open(join(folder, 'gateway.log'), 'a');
    await writer.write('x'.repeat(100));
    await writeFile(join(folder, 'small.log'), 'x'.repeat(99));
    await truncateLargeLogs(folder, 99);
    await writer.write('y'.repeat(120));
    await truncateLargeLogs(folder, 99);
    await writer.write('z');
    await writer.close();
    expect(await all()).toEqual({
      'gateway.log': 'z',
      'gateway.log.1': 'y'.repeat(120),
      'small.log': 'x'.repeat(99),
    });
  });
});
