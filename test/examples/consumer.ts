import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './languages.js';

export interface LedgerEntry {
  poVersion: number;
  statusId: number;
  currency: string;
  /** Exact, with four decimals. */
  agreed: string | null;
}
type LedgerOrders = Record<string, LedgerEntry>;
/** What every example writes; offsets as numbers or texts, as its language has them. */
interface Ledger {
  positions: Record<string, number | string>;
  orders: LedgerOrders;
}

/** An example consumer, which may be started again and again on one ledger. */
export class Consumer {
  private child: ChildProcess | null = null;
  private output = '';

  constructor(
    readonly name: string,
    private readonly program: Program,
    private readonly options: { folder: string; kafkaBrokers: string },
  ) {}

  /** Of its dead letters. */
  get group(): string {
    return `example-${this.name}`;
  }

  /** All it said since it was started last. */
  get said(): string {
    return this.output;
  }

  get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  start(): void {
    const { command, args } = this.program;
    const { folder, kafkaBrokers } = this.options;
    const own = { KAFKA_BROKERS: kafkaBrokers, GROUP: this.group, LEDGER_FILE: this.file, MESSAGES_FILE: this.file };
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.output = '';
    child.stderr.on('data', (chunk: Buffer) => (this.output += String(chunk)));
    child.on('error', ({ message }) => (this.output += message));
    this.child = child;
  }

  /** Resolves with its exit code or signal, when it is gone. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    this.child?.kill(signal);
    return this.ended();
  }

  async ended(): Promise<number | NodeJS.Signals | null> {
    const { child } = this;
    if (!child) return null;
    if (this.isRunning) await once(child, 'exit');
    return child.signalCode ?? child.exitCode;
  }

  /** Throws while there is no ledger. */
  orders(): LedgerOrders {
    return this.ledger().orders;
  }

  /** The offset of the next transition that it takes from a partition. Throws likewise. */
  position(partition: number): number {
    return Number(this.ledger().positions[partition]);
  }

  private ledger(): Ledger {
    return JSON.parse(readFileSync(this.file, 'utf8')) as Ledger;
  }

  /** What it writes. */
  get file(): string {
    return join(this.options.folder, `${this.name}.json`);
  }
}
