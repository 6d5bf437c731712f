import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { archiveLogs, truncateLargeLogs } from './log-files.js';
import { LogReader } from './log-reader.js';

describe('the log reader', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'po-logs-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const append = (source: string, text: string) => appendFile(join(folder, `${source}.log`), text);
  const line = (second: number, msg: string) =>
    `${JSON.stringify({ level: 'info', time: `2026-11-21T20:14:0${second}.000Z`, msg })}\n`;
  const reader = (tailBytes?: number) => new LogReader(folder, (source) => source !== 'kafka', tailBytes);
  const read = async (from: LogReader) =>
    (await from.read()).map(({ source, text, entry }) => `${source}: ${entry?.msg ?? text}`);

  it('sorts the lines of all selected files by time; a line without a time stays behind the previous line', async () => {
    await append('gateway', `${line(1, 'one')}${line(4, 'four')}`);
    await append('dashboard', `${line(2, 'two')}at a place\n${line(3, 'three')}\n`);
    await append('kafka', line(1, 'not wanted'));
    expect(await read(reader())).toEqual([
      'gateway: one',
      'dashboard: two',
      'dashboard: at a place',
      'dashboard: three',
      'gateway: four',
    ]);
  });

  it('reads each complete line once, including files that appear later', async () => {
    const from = reader();
    expect(await read(from)).toEqual([]);
    const [written, chinese] = [line(1, 'one'), Buffer.from(line(2, '订单'))];
    await append('gateway', written.slice(0, 20));
    expect(await read(from)).toEqual([]);
    await append('gateway', written.slice(20));
    await appendFile(join(folder, 'dashboard.log'), chinese.subarray(0, -5));
    expect(await read(from)).toEqual(['gateway: one']);
    await appendFile(join(folder, 'dashboard.log'), chinese.subarray(-5));
    expect(await read(from)).toEqual(['dashboard: 订单']);
    expect(await read(from)).toEqual([]);
  });

  it('starts with the last complete lines if not all are requested', async () => {
    await append('gateway', [1, 2, 3].map((second) => line(second, `line ${second}`)).join(''));
    const from = reader(line(3, 'line 3').length + 10);
    expect(await read(from)).toEqual(['gateway: line 3']);
    await append('gateway', line(4, 'line 4'));
    await append('dashboard', `${line(5, 'a')}${line(6, 'b')}`);
    expect(await read(from)).toEqual(['gateway: line 4', 'dashboard: a', 'dashboard: b']);
  });

  it.each([
    ['was truncated because it was too large', () => truncateLargeLogs(folder, 0)],
    ['was renamed by the next start', () => archiveLogs(folder)],
  ])('misses no line of a file that %s', async (_what, startNewFile) => {
    const from = reader();
    await append('gateway', `${line(1, 'one')}${line(2, 'two').slice(0, 9)}`);
    expect(await read(from)).toEqual(['gateway: one']);
    await append('gateway', line(2, 'two').slice(9));
    await startNewFile();
    await append('gateway', line(3, 'three'));
    expect(await read(from)).toEqual(['gateway: two', 'gateway: three']);
  });

  it('follows until it is stopped, and delivers the last lines', async () => {
    const seen: string[] = [];
    const ending = new AbortController();
    const following = reader().follow(
      (lines) => seen.push(...lines.map(({ entry }) => entry?.msg ?? '')),
      ending.signal,
    );
    await append('gateway', line(1, 'one'));
    await eventually('the line is seen', () => seen.length > 0);
    await append('gateway', line(2, 'two'));
    ending.abort();
    await following;
    expect(seen).toEqual(['one', 'two']);
  });
});
