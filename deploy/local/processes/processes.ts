import { type CommandOptions, run } from './run.js';
import { forgetProcesses, recordProcesses } from './leftovers.js';
import { Process, type ProcessOptions } from './process.js';

/** The order in which processes are ended: who asks before who is asked. */
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

/** Every process of one stack: started, restarted when they die, and stopped in order. */
export class Processes {
  private readonly started: Started[] = [];
  private readonly interruption = new AbortController();
  private readonly endings: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly dir: string,
    private readonly events: ProcessEvents = {},
  ) {}

  /** Starts one that lives until `stop`. `afterStop` runs when it was stopped in order. */
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

  /** Runs a program to its end, or until `stop`; see `run`. */
  run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
    return run(command, args, { ...options, signal: this.interruption.signal });
  }

  /** Has this done by `stop`, when the processes have ended: for what is no process of this machine. */
  atStop(ending: () => Promise<unknown>): void {
    this.endings.push(ending);
  }

  get stopping(): boolean {
    return this.interruption.signal.aborted;
  }

  /** Those that were started under this name, in the order of their start. */
  named(name: string): Process[] {
    return this.started.filter(({ process }) => process.name === name).map(({ process }) => process);
  }

  /** Of the processes that run under this name. */
  pids(name: string): number[] {
    return this.named(name).map(({ pid }) => pid);
  }

  /** Stops everything, stage by stage, and lets nothing new start. */
  async stop(): Promise<void> {
    this.interruption.abort(new Error('the stack is being stopped'));
    for (const stage of STAGES) {
      const members = this.started.filter((member) => member.stage === stage);
      await Promise.all(members.map(({ process, afterStop }) => process.stop().then(afterStop)));
    }
    await Promise.all(this.endings.splice(0).map((ending) => ending()));
    await forgetProcesses(this.dir);
  }

  /** Ends everything at once. */
  kill(): void {
    this.interruption.abort(new Error('the stack is being stopped'));
    for (const { process } of this.started) process.kill();
  }

  private record(): void {
    const members = this.started.map(({ process: { name, pid } }) => ({ name, pid }));
    try {
      recordProcesses(this.dir, members);
    } catch {
      // As where the disk is full: what runs goes on, and only a next start would have needed it.
    }
  }
}
