import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { logFile, logsIn } from '../../deploy/local/logs/log-files.js';
import { SERVICE_NAMES, SERVICES } from '../../deploy/local/stack/stack-file.js';
import type { Violation } from './oracle/evidence.js';
import { type World, managementUrls } from './world.js';

const EVERY_MS = 500;
/** Matches the last line that Node prints for an uncaught error, and the lines before it back to the last JSON line of the log. */
const UNCAUGHT = /((?:^(?!\{).*\n)*)^Node\.js v\d.*$/gm;
const SHOWN_LINES = 12;

/** Watches the replicas during a fault and the recovery: none may fail `/healthz`, and none may end by itself. */
export class Watch {
  private readonly violations = new Set<Violation>();
  private readonly pids: Map<object, number>;
  /** Length of every replica's log when the watch began. */
  private readonly logged: Map<string, number>;
  private watching = true;
  private readonly looking: Promise<void>;

  constructor(private readonly world: World) {
    this.pids = new Map(this.replicas().map(({ process }) => [process, process.pid]));
    this.logged = new Map(this.replicas().map(({ log }) => [log, readFileSync(log, 'utf8').length]));
    world.ended.clear();
    this.looking = this.look();
  }

  /** Stops watching and returns the violations. */
  async end(): Promise<Violation[]> {
    this.watching = false;
    await this.looking;
    for (const { name, process } of this.replicas()) {
      if (this.world.ended.has(process) || this.pids.get(process) === process.pid) continue;
      this.violations.add(`${name} ended by itself; its output is in ${logsIn(this.world.dir)}`);
    }
    this.findUncaughtErrors();
    return [...this.violations];
  }

  // Includes processes that the scenario ended at another time.
  private findUncaughtErrors(): void {
    for (const { name, log } of this.replicas()) {
      for (const [, lines = ''] of readFileSync(log, 'utf8').slice(this.logged.get(log)).matchAll(UNCAUGHT)) {
        const shown = lines.split('\n').slice(0, SHOWN_LINES).join('\n');
        this.violations.add(`${name} ended by an uncaught error:\n${shown}`);
      }
    }
  }

  private replicas() {
    return SERVICES.flatMap((service) =>
      this.world.replicas(service).map((process, replica) => ({
        name: `${service} ${replica}`,
        log: logFile(logsIn(this.world.dir), SERVICE_NAMES[service], replica),
        process,
      })),
    );
  }

  private async look(): Promise<void> {
    while (this.watching) {
      await Promise.all(managementUrls(this.world).map((url) => this.ask(url)));
      await delay(EVERY_MS);
    }
  }

  private async ask(url: string): Promise<void> {
    // An unreachable process was killed, which is no failed health check.
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (answer?.ok === false) this.violations.add(`${url}/healthz asks for a restart: ${await answer.text()}`);
    else await answer?.body?.cancel();
  }
}
