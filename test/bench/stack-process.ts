import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The part of stack.json that the benchmark reads. */
export interface Stack {
  ready: boolean;
  gatewayUrl: string;
  kafkaBrokers: string;
  databaseUrls: { purchaseOrders: string };
  pids: Record<'gateway' | 'purchaseOrders' | 'notifications' | 'dashboard', number[]> & {
    kafka: number;
    postgres: number;
    redis: number;
  };
  tokens: Record<string, string>;
}

/** A port that nothing listened on a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const START_TIMEOUT_MS = 180_000;

/** Starts an own, empty stack as `npm start` does, without rate limits, in a temporary folder. */
export async function startStackProcess(): Promise<{ stack: Stack; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'po-bench-'));
  // PostgreSQL may run as another user than this one and must reach its data.
  chmodSync(folder, 0o755);
  const child = spawn(process.execPath, [resolve('deploy/local/bootstrap.mjs'), 'start', '--no-demo'], {
    env: {
      ...process.env,
      PO_LOCAL_DIR: folder,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_READS_PER_MINUTE: '0',
      RATE_LIMIT_WRITES_PER_MINUTE: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    await terminate(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { stack: await ready(join(folder, 'stack.json'), child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ready(file: string, child: ChildProcess): Promise<Stack> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the stack exited with ${child.exitCode} before it was ready`);
    if (existsSync(file)) {
      const stack = JSON.parse(readFileSync(file, 'utf8')) as Stack;
      if (stack.ready) return stack;
    }
    await delay(200);
  }
  throw new Error(`the stack was not ready within ${START_TIMEOUT_MS / 1000} s`);
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exited;
}
