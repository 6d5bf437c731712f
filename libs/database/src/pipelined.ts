/**
 * Waits for statements that were sent together on one connection, in this order, without waiting for each other. Throws the failure
 * of the first failed one: later ones may have failed only because of it.
 */
export async function pipelined(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(statements)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
