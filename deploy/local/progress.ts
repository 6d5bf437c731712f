/** Prints one line about a long step with the time it took; `say` is silent where the lines would disturb. */
export type Step = <T>(label: string, work: () => Promise<T>) => Promise<T>;

export const step: Step = async (label, work) => {
  const startedAt = performance.now();
  try {
    const result = await work();
    process.stdout.write(`  ${label.padEnd(46, ' ')} ${seconds(startedAt)}\n`);
    return result;
  } catch (error) {
    process.stdout.write(`  ${label.padEnd(46, ' ')} failed after ${seconds(startedAt)}\n`);
    throw error;
  }
};

/** Time since `startedAt` (of `performance.now()`), for people. */
export const seconds = (startedAt: number): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
