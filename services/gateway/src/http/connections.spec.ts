import { type Socket, connect } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';

const GET = 'GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n';
const PAGE = {
  immutable: false,
  route: '/large',
  mediaType: 'text/plain',
  contentSecurityPolicy: "default-src 'none'",
};

let gateway: RunningGateway;
afterEach(() => gateway.stop());

it('the gateway keeps idle connections for longer than the 10 minutes after which proxies must close theirs', async () => {
  gateway = await runGateway();
  expect((await gateway.call('/nothing')).headers.get('keep-alive')).toBe('timeout=620');
});

/** A client that reads nothing. */
function nonReadingClient(): Socket {
  const { hostname, port } = new URL(gateway.url);
  return connect(Number(port), hostname)
    .on('error', () => undefined)
    .pause();
}

it('the gateway answers pipelined requests on one connection', async () => {
  gateway = await runGateway();
  const count = (answer: string) => answer.split('HTTP/1.1 404').length - 1;
  expect(count(await gateway.raw(GET.repeat(8), (answer) => count(answer) === 8))).toBe(8);
});

it('the gateway closes a connection that sends requests faster than it reads the responses', async () => {
  gateway = await runGateway();
  const socket = nonReadingClient();
  socket.resume().write(GET.repeat(2_000));
  await eventually('the connection is closed', () => socket.closed);
  expect(gateway.lines.filter(({ route }) => route === '(none)').length).toBeLessThan(50);
});

it('the gateway closes a connection whose client does not read the response', async () => {
  const content = Buffer.alloc(50 * 1024 * 1024);
  gateway = await runGateway({ silentAfterMs: 200, pages: [{ ...PAGE, path: '/large', content }] });
  const socket = nonReadingClient();
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually('the response is aborted', () => gateway.lines.find(({ aborted }) => aborted));
  socket.destroy();
});
