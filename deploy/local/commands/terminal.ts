import { type Step, stepReporter } from '../progress.js';

/** The part of `process.stdout` that is used. `columns` is 0 or absent if the width is unknown. */
interface Screen {
  write: (text: string) => unknown;
  columns?: number;
}

const DEFAULT_WIDTH = 120;
const CLEAR_LINE = '\r\u001b[K';

/** A terminal with permanent lines and, below them, one line with the running steps. */
export class Terminal {
  private readonly running = new Set<string>();

  constructor(private readonly screen: Screen) {}

  get width(): number {
    return this.screen.columns || DEFAULT_WIDTH;
  }

  print(text: string): void {
    this.screen.write(`${CLEAR_LINE}${text}\n${this.statusLine()}`);
  }

  readonly step: Step = async (label, work) => {
    this.running.add(label);
    this.screen.write(`${CLEAR_LINE}${this.statusLine()}`);
    return stepReporter((line) => {
      this.running.delete(label);
      this.print(line);
    })(label, work);
  };

  /** Removes the line with the running steps. */
  clearSteps(): void {
    this.running.clear();
    this.screen.write(CLEAR_LINE);
  }

  // Truncated, because a wrapped line cannot be cleared.
  private statusLine(): string {
    return this.running.size === 0 ? '' : `  … ${[...this.running].join(', ')}`.slice(0, this.width - 1);
  }
}
