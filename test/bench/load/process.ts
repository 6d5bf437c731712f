import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { stopInTheEnd } from '../lifetime.js';
import type { BenchStack } from '../stack.js';
import type { Commands } from './main.js';

/** The process that sends requests and watches their effects. */
export class LoadProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts one for a stack; it lives until the benchmark ends. */
  static async start({ url, file }: BenchStack): Promise<LoadProcess> {
    const child = fork(join(import.meta.dirname, 'main.js'), { execArgv: ['--no-warnings'] });
    stopInTheEnd(() => stopChild(child));
    const load = new LoadProcess(child);
    const { kafkaBrokers, databaseUrls, redisUrl, tokens } = file;
    const users = { buyer: tokens.buyer ?? '', vendor: tokens['vendor:ACME'] ?? '' };
    const notificationsUrl = databaseUrls.notifications;
    await load.execute('target', { url, kafkaBrokers, notificationsUrl, redisUrl, tokens: users });
    return load;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Runs one command at a time. Rejects with the error of the process, or when it is gone. */
  execute<Name extends keyof Commands>(
    name: Name,
    argument: Parameters<Commands[Name]>[0],
  ): Promise<Awaited<ReturnType<Commands[Name]>>> {
    return new Promise((resolve, reject) => {
      const gone = () => reject(new Error('the load process is gone'));
      this.child.once('exit', gone);
      this.child.once('message', (message: { answer: Awaited<ReturnType<Commands[Name]>>; error?: string }) => {
        this.child.off('exit', gone);
        if (message.error === undefined) resolve(message.answer);
        else reject(new Error(message.error));
      });
      this.child.send({ name, argument });
    });
  }
}

/** Kills a child and resolves when it is gone. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await exited;
}
