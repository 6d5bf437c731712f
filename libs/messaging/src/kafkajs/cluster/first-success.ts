/**
 * The first success of several attempts, started in this order. The next attempt starts when an earlier one fails or `hedgeDelayMs` have
 * passed. Rejects with the last failure if all attempts fail.
 */
export function firstSuccess<T>(attempts: readonly (() => Promise<T>)[], hedgeDelayMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let started = 0;
  let failed = 0;
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    clearTimeout(timer);
    const attempt = attempts[started];
    if (!attempt) return;
    started += 1;
    timer = setTimeout(begin, hedgeDelayMs);
    attempt().then(
      (value) => {
        clearTimeout(timer);
        started = attempts.length;
        resolve(value);
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
