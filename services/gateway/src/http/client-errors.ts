import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_CONTENT_TYPE, ProblemError, problemDocument } from '@po/contracts';
import type { Logger } from '@po/platform';
import { recordMalformedRequest } from './access-log.js';
import { FIXED_HEADERS } from './fixed-headers.js';

/** A socket of Node's HTTP server; `_httpMessage` is the response in progress. */
type HttpSocket = Socket & { _httpMessage?: { headersSent: boolean } | null };

/**
 * Responds to input that Node could not parse as a request, with 431 for headers beyond the limit and 400 otherwise, and ends the
 * connection. A connection without any input is only closed: browsers open some in advance, and could read the response as that of a
 * request which they send at the same moment.
 */
export function respondToMalformedRequest(error: Error & { code?: string }, socket: HttpSocket, logger: Logger): void {
  // Part of a response is already sent, and a second one would be read as its rest; or the client can no longer read one.
  const isUnreadable = !socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent;
  if (isUnreadable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const problem = new ProblemError(error.code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'BAD_REQUEST');
  const requestId = randomUUID();
  const body = JSON.stringify(problemDocument(problem, { locale: 'en', instance: '/', requestId }));
  const headers = {
    ...FIXED_HEADERS,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-language': 'en',
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  recordMalformedRequest(problem.status, error.code, logger);
}
