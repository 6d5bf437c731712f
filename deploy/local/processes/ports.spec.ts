import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { reservePorts } from './ports.js';

const PORTS = 150;

let dir: string;
const workers: Worker[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-ports-'));
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
  await rm(dir, { recursive: true, force: true });
});

// A worker thread has its own instance of the module and its listeners, like a process.
async function taken(folder: string): Promise<number[]> {
  const program = `import { parentPort } from 'node:worker_threads';
    import { reservePorts } from ${JSON.stringify(new URL('../dist/processes/ports.js', import.meta.url).href)};
    const names = Array.from({ length: ${PORTS} }, (_, index) => String(index));
    parentPort.on('message', () => undefined);
    parentPort.postMessage(Object.values(await reservePorts(${JSON.stringify(join(dir, folder))}, names)));`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  workers.push(worker);
  const [ports] = (await once(worker, 'message')) as [number[]];
  return ports;
}

it('reservePorts never gives two processes the same port, although nothing listens on the ports yet', async () => {
  const all = (await Promise.all([taken('one'), taken('two'), taken('three')])).flat();
  expect(new Set(all).size).toBe(3 * PORTS);
});

it('reservePorts gives a folder the same ports again', async () => {
  const before = await taken('one');
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
  expect(await taken('one')).toEqual(before);
});

it('reservePorts gives the ports stored in a folder and in its copy to only one of them', async () => {
  await taken('one');
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
  await cp(join(dir, 'one'), join(dir, 'two'), { recursive: true });
  const all = (await Promise.all([taken('one'), taken('two')])).flat();
  expect(new Set(all).size).toBe(2 * PORTS);
});

it('reservePorts does not give a name the remembered port of another one', async () => {
  const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
  await writeFile(join(dir, 'ports.json'), JSON.stringify({ a: 1, b: 15_001 }));
  const { a, b } = await reservePorts(dir, ['a', 'b'], [1]);
  random.mockRestore();
  expect(a).not.toBe(b);
});
