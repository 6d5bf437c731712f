import { logsIn } from '../logs/log-files.js';
import { formatLine } from '../logs/log-line.js';
import { LogReader } from '../logs/log-reader.js';
import { Warnings } from '../logs/warnings.js';
import { type Step, step } from '../progress.js';
import { isServiceLog } from '../stack/services.js';
import { type Started, banner, interactiveBanner } from './banner.js';
import { messageOf } from './lifecycle.js';
import { paint } from './paint.js';
import { Terminal } from './terminal.js';

/** The output of `npm start`. */
interface Output {
  print: (line: string) => void;
  step: Step;
  ready: (started: Started) => void;
  /** Reports an unrequested event of a process, such as a crash. */
  notice: (label: string, what: string) => void;
  /** Folder for the output of the services; absent if it goes to standard output. */
  logs?: string;
  /** Shows the remaining output. */
  end: () => Promise<void>;
}

/** Writes everything to standard output, including the logs of the services: for programs, and for people who want all output. */
export function streamedOutput(): Output {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  return {
    print,
    step,
    ready: (started) => print(banner(started)),
    notice: (label, what) => print(`  ${label} ${what}`),
    end: () => Promise.resolve(),
  };
}

/** Output for a terminal: steps, a short banner, and only the warnings of the services, which log to files. */
export function interactiveOutput(dir: string): Output {
  const logs = logsIn(dir);
  const terminal = new Terminal(process.stdout);
  const print = (line: string) => terminal.print(line);
  const warnings = new Warnings(paint, () => terminal.width);
  const ending = new AbortController();
  const following = new LogReader(logs, isServiceLog)
    .follow((lines) => warnings.take(lines, performance.now()).forEach(print), ending.signal)
    .catch((error: unknown) => print(`  the logs cannot be read: ${messageOf(error)}`));
  return {
    print,
    logs,
    step: terminal.step,
    ready: (started) => print(interactiveBanner(started)),
    notice: (source, msg) => {
      const entry = { time: new Date().toISOString(), level: 'warn' as const, msg, fields: {} };
      print(formatLine({ source, text: msg, entry }, paint, terminal.width));
    },
    end: async () => {
      ending.abort();
      await following;
      terminal.clearSteps();
    },
  };
}
