import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { parse } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const RESTART_AFTER_MS = 1_000;

export interface ProcessOptions {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** File that the output is appended to; the output of this process if absent. */
  log?: string;
  stopSignal?: NodeJS.Signals;
  /** Milliseconds after which a stopping process is killed. */
  stopTimeoutMs: number;
  /** Called with the exit code or signal when the process exits by itself; a restart follows. */
  onEnded: (how: string) => void;
  /** Called whenever a new process has replaced the previous one. */
  onReplaced: () => void;
}

/** A child process that is restarted a second after it exits by itself. */
export class Process {
  private child: ChildProcess;
  private stopping = false;
  private suspended = false;
  private lastExit: string | null = null;

  constructor(private readonly options: ProcessOptions) {
    this.child = this.spawn();
  }

  get name(): string {
    return this.options.name;
  }

  /** Display name: the name of its log if it has one. */
  get label(): string {
    const { log, name } = this.options;
    return log === undefined ? name : parse(log).name;
  }

  get args(): readonly string[] {
    return this.options.args;
  }

  /** Pid of the current or last process. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Error for callers that wait for readiness, once the process has exited by itself. */
  failure(): Error | undefined {
    if (this.lastExit === null) return undefined;
    const { log, name } = this.options;
    return new Error(`${name} ended while starting (${this.lastExit})${log ? `; its output is in ${log}` : ''}`);
  }

  /** Stops the process without a restart. Resolves when it has exited. */
  async stop(): Promise<void> {
    this.stopping = true;
    const timer = setTimeout(() => this.child.kill('SIGKILL'), this.options.stopTimeoutMs);
    await this.endBy(this.options.stopSignal ?? 'SIGTERM');
    clearTimeout(timer);
  }

  /** Ends the process with this signal until `resume`. Resolves when it has exited. */
  async suspend(signal: NodeJS.Signals): Promise<void> {
    this.suspended = true;
    await this.endBy(signal);
  }

  /** Restarts a suspended process. The variables and arguments stay changed for later restarts. */
  resume(environment: Record<string, string> = {}, args = this.options.args): void {
    if (this.stopping || !this.suspended) return;
    this.suspended = false;
    Object.assign(this.options.env, environment);
    this.options.args = args;
    this.child = this.spawn();
    this.options.onReplaced();
  }

  /** Kills the process without waiting. */
  kill(): void {
    this.stopping = true;
    this.child.kill('SIGKILL');
  }

  private async endBy(signal: NodeJS.Signals): Promise<void> {
    const { exitCode, signalCode, pid } = this.child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await exited;
  }

  private spawn(): ChildProcess {
    const { command, args, env, cwd, uid, gid, log } = this.options;
    const output = log === undefined ? 'inherit' : openSync(log, 'a');
    const child = spawn(command, args, {
      env,
      cwd,
      uid,
      gid,
      stdio: ['ignore', output, output],
      // A separate process group: Ctrl-C must not reach all processes at the same time, because we stop them in order.
      detached: true,
    });
    if (typeof output === 'number') closeSync(output);
    child.once('error', (error) => this.exited(error.message));
    child.once('exit', (code, signal) => this.exited(signal ?? `exit code ${code}`));
    return child;
  }

  private exited(how: string): void {
    if (this.stopping || this.suspended) return;
    this.lastExit = how;
    this.options.onEnded(how);
    void delay(RESTART_AFTER_MS).then(() => {
      if (this.stopping || this.suspended) return;
      this.child = this.spawn();
      this.options.onReplaced();
    });
  }
}
