import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { createLogger } from '@po/platform';
import { respondToMalformedRequest } from './client-errors.js';

const TIMEOUT = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

it.each([
  ['nothing: it is only closed, because a browser would read an answer as that of its next request', '', ''],
  ['a part of a request: 400', 'GET /', expect.stringMatching(/^HTTP\/1\.1 400 [^]*connection: close/)],
])('a connection that sent %s', async (_what, sent, answer) => {
  const server = createServer();
  const logger = createLogger('test', 'silent');
  server.on('connection', (socket) => {
    const timeOut = () => respondToMalformedRequest(TIMEOUT, socket, logger);
    if (sent === '') timeOut();
    else socket.once('data', timeOut);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(sent);
  expect(await text(client)).toEqual(answer);
  server.close();
});
