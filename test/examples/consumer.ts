import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './languages.js';

export interface LedgerEntry {
  poVersion: number;
  statusId: number;
  currency: string;
  /** Exact amount with four decimals; null without an agreement. */
  agreed: string | null;
}
type LedgerOrders = Record<string, LedgerEntry>;
/** Ledger file of every example. Offsets are numbers or strings, depending on the language. */
interface Ledger {
  positions: Record<string, number | string>;
  orders: LedgerOrders;
}

/** An example consumer, which may be started repeatedly on the same ledger. */
export class Consumer {
  private child: ChildProcess | null = null;
  private printed = '';

  constructor(
    readonly name: string,
    private readonly program: Program,
    private readonly options: { folder: string; kafkaBrokers: string },
  ) {}

  /** Consumer group, after which the dead-letter topic is named. */
  get group(): string {
    return `example-${this.name}`;
  }

  /** Error output since the last start. */
  get output(): string {
    return this.printed;
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
    this.printed = '';
    child.stderr.on('data', (chunk: Buffer) => (this.printed += String(chunk)));
    child.on('error', ({ message }) => (this.printed += message));
    this.child = child;
  }

  /** Sends a signal and resolves with the exit code or signal once the process has ended. */
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

  /** Throws if there is no ledger yet. */
  orders(): LedgerOrders {
    return this.ledger().orders;
  }

  /** Next offset to read from a partition of the transitions topic. Throws if there is no ledger yet. */
  position(partition: number): number {
    return Number(this.ledger().positions[partition]);
  }

  /** Moves its stored positions, if any, beyond the end of the topic, as if the topic had been lost and created again. */
  moveBeyondEnd(): void {
    if (!existsSync(this.file)) return;
    const { positions, orders } = this.ledger();
    const beyond = Object.fromEntries(Object.keys(positions).map((partition) => [partition, 1_000_000]));
    writeFileSync(this.file, JSON.stringify({ positions: beyond, orders }));
  }

  private ledger(): Ledger {
    return JSON.parse(readFileSync(this.file, 'utf8')) as Ledger;
  }

  /** Ledger or messages file of the example. */
  get file(): string {
    return join(this.options.folder, `${this.name}.json`);
  }
}
