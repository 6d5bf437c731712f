/** Runs a step and prints its name and duration. */
export type Step = <T>(label: string, work: () => Promise<T>) => Promise<T>;

/** Creates a step runner that prints one line after each step. */
export const stepReporter =
  (say: (line: string) => void): Step =>
  async (label, work) => {
    const startedAt = performance.now();
    try {
      const result = await work();
      say(`  ${label.padEnd(46, ' ')} ${seconds(startedAt)}`);
      return result;
    } catch (error) {
      say(`  ${label.padEnd(46, ' ')} failed after ${seconds(startedAt)}`);
      throw error;
    }
  };

/** Runs a step and prints to standard output. */
export const step: Step = stepReporter((line) => process.stdout.write(`${line}\n`));

/** Time since `startedAt` (of `performance.now()`) as text. */
export const seconds = (startedAt: number): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
