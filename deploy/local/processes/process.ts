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
  /** A file that its output is added to; absent = the output of this process. */
  log?: string;
  stopSignal?: NodeJS.Signals;
  /** Killed when it has not ended by then. */
  stopWithinMs: number;
  /** Called when it exits by itself, with its exit code or signal; it is restarted soon. */
  onEnded: (how: string) => void;
  /** Called whenever the process was replaced by a new one. */
  onReplaced: () => void;
}

/** A child process that is restarted after a second when it exits by itself. */
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

  /** Which one it is, for people: what its log is called, if it has one. */
  get label(): string {
    const { log, name } = this.options;
    return log === undefined ? name : parse(log).name;
  }

  /** Arguments of its program. */
  get args(): readonly string[] {
    return this.options.args;
  }

  /** Of the process that runs now, or ran last. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** An error once the process exited by itself, for callers that wait for readiness. */
  failure(): Error | undefined {
    if (this.lastExit === null) return undefined;
    const { log, name } = this.options;
    return new Error(`${name} ended while it was starting (${this.lastExit})${log ? `; its output is in ${log}` : ''}`);
  }

  /** Stops it without a restart. Resolves when it has exited. */
  async stop(): Promise<void> {
    this.stopping = true;
    const timer = setTimeout(() => this.child.kill('SIGKILL'), this.options.stopWithinMs);
    await this.endBy(this.options.stopSignal ?? 'SIGTERM');
    clearTimeout(timer);
  }

  /** Ends it by this signal without a restart. Resolves when it has exited; `resume` starts it again. */
  async suspend(signal: NodeJS.Signals): Promise<void> {
    this.suspended = true;
    await this.endBy(signal);
  }

  /** Starts a suspended one again, with these variables set or changed from now on, and with other arguments if they are given. */
  resume(environment: Record<string, string> = {}, args = this.options.args): void {
    if (this.stopping || !this.suspended) return;
    this.suspended = false;
    Object.assign(this.options.env, environment);
    this.options.args = args;
    this.child = this.spawn();
    this.options.onReplaced();
  }

  /** Ends it at once. */
  kill(): void {
    this.stopping = true;
    this.child.kill('SIGKILL');
  }

  private async endBy(signal: NodeJS.Signals): Promise<void> {
    const { exitCode, signalCode, pid } = this.child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await gone;
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
      // A group of its own: the terminal's Ctrl-C must reach it from us, in order, and not at the same time as everything else.
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
