/**
 * The first success of several attempts, tried in this order: the next one begins when one before fails, or has taken `patienceMs`. Rejects
 * with the last failure when all fail.
 */
export function firstAnswer<T>(attempts: readonly (() => Promise<T>)[], patienceMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let begun = 0;
  let failed = 0;
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    clearTimeout(timer);
    const attempt = attempts[begun];
    if (!attempt) return;
    begun += 1;
    timer = setTimeout(begin, patienceMs);
    attempt().then(
      (answer) => {
        clearTimeout(timer);
        begun = attempts.length;
        resolve(answer);
      },
      (error: Error) => {
        failed += 1;
        if (failed === attempts.length) reject(error);
        else begin();
      },
    );
  };
  if (attempts.length === 0) reject(new Error('there is nobody to ask'));
  begin();
  return promise;
}
