/**
 * Waits for statements that were sent together on one connection, in this order. Throws the first failure, because later statements may
 * have failed only as a consequence.
 */
export async function pipelined(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(statements)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
