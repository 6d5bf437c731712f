import { type Step, stepsBy } from '../progress.js';

/** What of `process.stdout` is needed; its width is 0 or absent where nobody knows it. */
interface Screen {
  write: (text: string) => unknown;
  columns?: number;
}

const DEFAULT_WIDTH = 120;
const CLEAR_LINE = '\r\u001b[K';

/** A terminal on which lines stand one below the other, and below them all, until it is done, what is being done. */
export class Terminal {
  private readonly doing = new Set<string>();

  constructor(private readonly screen: Screen) {}

  get width(): number {
    return this.screen.columns || DEFAULT_WIDTH;
  }

  say(text: string): void {
    this.screen.write(`${CLEAR_LINE}${text}\n${this.whatIsDone()}`);
  }

  readonly step: Step = async (label, work) => {
    this.doing.add(label);
    this.screen.write(`${CLEAR_LINE}${this.whatIsDone()}`);
    return stepsBy((line) => {
      this.doing.delete(label);
      this.say(line);
    })(label, work);
  };

  /** Leaves the lines alone: what is still being done is of no interest any more. */
  forgetSteps(): void {
    this.doing.clear();
    this.screen.write(CLEAR_LINE);
  }

  // Cut, because a line that wraps cannot be cleared.
  private whatIsDone(): string {
    return this.doing.size === 0 ? '' : `  … ${[...this.doing].join(', ')}`.slice(0, this.width - 1);
  }
}
