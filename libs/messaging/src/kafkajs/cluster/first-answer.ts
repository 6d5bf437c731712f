/**
 * The first success of several attempts, started in this order. The next attempt starts when an earlier one fails or `patienceMs` have
 * passed. Rejects with the last failure if all attempts fail.
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
  if (attempts.length === 0) reject(new Error('there is no broker to ask'));
  begin();
  return promise;
}
