import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';

const IMPLEMENTATIONS = ['stock', 'direct', 'product'];
const PROGRAM = join(import.meta.dirname, 'dist/bench.js');

it('compares the three implementations, which answer alike, and no request fails', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'po-bench-spec-'));
  try {
    const child = spawn(process.execPath, [PROGRAM, '--connections', '1', '--seconds', '1', '--only', 'transition'], {
      env: { ...process.env, PO_LOCAL_DIR: dir },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const errors = await text(child.stderr);
    expect({ exit: await exited, errors }).toEqual({ exit: 0, errors: expect.any(String) });
    const report = JSON.parse(await readFile(join(dir, 'bench.json'), 'utf8')) as {
      tables: { title: string; rows: Record<string, unknown>[] }[];
      notes: string[];
    };
    const measured = report.tables.find(({ title }) => title.startsWith('Under load'))?.rows ?? [];
    expect(measured.map(({ variant, errors }) => `${String(variant)}: ${String(errors)} errors`)).toEqual(
      IMPLEMENTATIONS.map((implementation) => `${implementation}: 0 errors`),
    );
    expect(report.notes).toEqual([]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
