import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Maximum unanswered requests of a connection. Browsers and proxies send a request only after the previous response. */
const UNANSWERED = 16;

/**
 * Closes a connection with more unanswered requests than that. Node starts all pipelined requests that it has read (RFC 9112, section
 * 9.3.2), and keeps every response until those before it are read.
 */
export function limitPipelinedRequests(instance: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  instance.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // Node still parses what it has read from a closed connection.
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
