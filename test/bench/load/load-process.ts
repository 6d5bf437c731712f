import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { StackFile } from '#local/stack/stack-file.js';
import { ended } from '../side-process.js';
import type { LoadAnswers, LoadCommand } from './commands.js';

/** The process that makes requests and watches what they cause. */
export class LoadProcess {
  private readonly child: ChildProcess;
  private sequence = 0;

  constructor() {
    this.child = fork(join(import.meta.dirname, 'main.js'), { execArgv: ['--no-warnings'] });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Tells it of the stack that all further commands are for. */
  async aim({ kafkaBrokers, databaseUrls, redisUrl, tokens }: StackFile): Promise<void> {
    const users = { buyer: tokens.buyer ?? '', vendor: tokens['vendor:ACME'] ?? '' };
    const target = { kafkaBrokers, notificationsUrl: databaseUrls.notifications, redisUrl, tokens: users };
    await this.execute({ command: 'target', target });
  }

  /** Runs one command at a time. Rejects with what went wrong there, or when the process is gone. */
  execute<C extends LoadCommand>(command: C): Promise<LoadAnswers[C['command']]> {
    const id = (this.sequence += 1);
    return new Promise((resolve, reject) => {
      const gone = () => reject(new Error('the load process is gone'));
      this.child.once('exit', gone);
      this.child.once('message', (message: { answer: LoadAnswers[C['command']]; error?: string }) => {
        this.child.off('exit', gone);
        if (message.error === undefined) resolve(message.answer);
        else reject(new Error(message.error));
      });
      this.child.send({ id, ...command });
    });
  }

  stop(): Promise<void> {
    return ended(this.child);
  }
}
