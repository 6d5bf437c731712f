import { type LogLine, type Paint, formatLine, isAtLeast, kindOf } from './log-line.js';

const QUIET_MS = 10_000;

interface Shown {
  at: number;
  /** Number of further lines of the same kind. */
  again: number;
  last: LogLine;
}

/** Log lines that a person must see: warnings and above, one line each, and each kind only once in ten seconds. */
export class Warnings {
  private readonly shown = new Map<string, Shown>();

  constructor(
    private readonly paint: Paint,
    private readonly width: () => number,
  ) {}

  /** Returns the lines to show at `now` (of `performance.now()`) for these new lines. Call it regularly, even without new lines. */
  take(lines: readonly LogLine[], now: number): string[] {
    return [
      ...this.summaries(now),
      ...lines.filter((line) => isAtLeast(line, 'warn')).flatMap((line) => this.show(line, now)),
    ];
  }

  private summaries(now: number): string[] {
    const due = [...this.shown].filter(([, { at }]) => now - at >= QUIET_MS);
    return due.flatMap(([kind, { again, last }]) => {
      this.shown.delete(kind);
      return again === 0 ? [] : [this.format(last, ` (${again} more like it)`)];
    });
  }

  private show(line: LogLine, now: number): string[] {
    const before = this.shown.get(kindOf(line));
    if (before) {
      before.again += 1;
      before.last = line;
      return [];
    }
    this.shown.set(kindOf(line), { at: now, again: 0, last: line });
    return [this.format(line, '')];
  }

  private format(line: LogLine, suffix: string): string {
    return `${formatLine(line, this.paint, this.width() - suffix.length)}${suffix}`;
  }
}
