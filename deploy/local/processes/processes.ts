import { type CommandOptions, run } from './run.js';
import { forgetProcesses, recordProcesses } from './leftovers.js';
import { Process, type ProcessOptions } from './process.js';

/** Stop order: callers before the processes that they call. */
const STAGES = ['gateway', 'service', 'store'] as const;
export type Stage = (typeof STAGES)[number];

interface Started {
  stage: Stage;
  process: Process;
  afterStop: () => Promise<void>;
}

/** Listener for processes that exited by themselves, and for their replacements. */
interface ProcessEvents {
  ended?: (process: Process, how: string) => void;
  replaced?: (process: Process) => void;
}

/** All processes of one stack: starts them, restarts them when they die, and stops them in order. */
export class Processes {
  private readonly started: Started[] = [];
  private readonly interruption = new AbortController();
  private readonly endings: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly dir: string,
    private readonly events: ProcessEvents = {},
  ) {}

  /** Starts a process that lives until `stop`. `afterStop` runs after a regular stop. */
  start(
    stage: Stage,
    options: Omit<ProcessOptions, 'onEnded' | 'onReplaced'>,
    afterStop: () => Promise<void> = () => Promise.resolve(),
  ): Process {
    this.interruption.signal.throwIfAborted();
    const process: Process = new Process({
      ...options,
      onEnded: (how) => this.events.ended?.(process, how),
      onReplaced: () => {
        this.record();
        this.events.replaced?.(process);
      },
    });
    this.started.push({ stage, process, afterStop });
    this.record();
    return process;
  }

  /** Runs a program until it ends or `stop` is called; see `run`. */
  run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
    return run(command, args, { ...options, signal: this.interruption.signal });
  }

  /** Registers work for `stop` after all processes have ended, for resources other than local processes. */
  atStop(ending: () => Promise<unknown>): void {
    this.endings.push(ending);
  }

  get stopping(): boolean {
    return this.interruption.signal.aborted;
  }

  /** Processes with this name, in start order. */
  named(name: string): Process[] {
    return this.started.filter(({ process }) => process.name === name).map(({ process }) => process);
  }

  /** Pids of the processes with this name. */
  pids(name: string): number[] {
    return this.named(name).map(({ pid }) => pid);
  }

  /** Stops all processes stage by stage and prevents new ones. */
  async stop(): Promise<void> {
    this.interruption.abort(new Error('the stack is being stopped'));
    for (const stage of STAGES) {
      const members = this.started.filter((member) => member.stage === stage);
      await Promise.all(members.map(({ process, afterStop }) => process.stop().then(afterStop)));
    }
    await Promise.all(this.endings.splice(0).map((ending) => ending()));
    await forgetProcesses(this.dir);
  }

  /** Kills all processes without waiting. */
  kill(): void {
    this.interruption.abort(new Error('the stack is being stopped'));
    for (const { process } of this.started) process.kill();
  }

  private record(): void {
    const members = this.started.map(({ process: { name, pid } }) => ({ name, pid }));
    try {
      recordProcesses(this.dir, members);
    } catch {
      // For example, the disk is full. The running processes are not affected; only the next start and the commands on this stack read it.
    }
  }
}
