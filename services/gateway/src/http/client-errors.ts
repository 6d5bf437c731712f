import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_CONTENT_TYPE, ProblemError, problemDocument } from '@po/contracts';
import type { Logger } from '@po/platform';
import { recordGarbage } from './access-log.js';
import { FIXED_HEADERS } from './fixed-headers.js';

/** A socket as Node's HTTP server leaves it: `_httpMessage` is the response it is in the middle of. */
type HttpSocket = Socket & { _httpMessage?: { headersSent: boolean } | null };

/** Answers what Node could not read as a request: 431 for headers beyond the limit, 400 for the rest, and ends the connection. */
export function answerGarbage(error: Error & { code?: string }, socket: HttpSocket, logger: Logger): void {
  // Half an answer is on the wire, or nobody is left to read one: a second answer would be taken for the rest of the first.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
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
  recordGarbage(problem.status, error.code, logger);
}
