import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests of a connection that may be unanswered at a time. Browsers and proxies send one after another's answer. */
const UNANSWERED = 16;

/**
 * Ends a connection on which more requests come than its client takes answers of: Node begins all that it reads at once (pipelining, RFC
 * 9112, section 9.3.2), and keeps every answer until those before it are taken.
 */
export function endGreedyConnections(instance: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  instance.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // Of one that was ended the rest is read all the same.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  });
}
