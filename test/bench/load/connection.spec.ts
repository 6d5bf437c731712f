import { type AddressInfo, type Socket, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { Connection } from './connection.js';

async function withServer(onRequest: (socket: Socket) => void, use: (connection: Connection) => Promise<void>) {
  const server = createServer((socket) => socket.setNoDelay(true).on('data', () => onRequest(socket)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = new Connection(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  await use(connection);
  connection.close();
  await new Promise((resolve) => server.close(resolve));
}

it('a connection answers request after request, when all parts of the answer are there', async () => {
  let count = 0;
  const inParts = (socket: Socket) => {
    socket.write(`HTTP/1.1 20${count} X\r\nContent-Le`);
    setImmediate(() => {
      socket.write('ngth: 2\r\n\r\n#');
      setImmediate(() => socket.write(String(count++)));
    });
  };
  await withServer(inParts, async (connection) => {
    const answers = [await connection.exchange('x'), await connection.exchange('x')];
    expect(answers.map(({ status, body }) => `${status} ${body.toString()}`)).toEqual(['200 #0', '201 #1']);
  });
});

it('a connection that breaks fails its request, and the next one opens another', async () => {
  let breaks = true;
  const breakOnce = (socket: Socket) => {
    if (breaks) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    breaks = false;
  };
  await withServer(breakOnce, async (connection) => {
    await expect(connection.exchange('x')).rejects.toThrow(/closed|ECONNRESET/);
    expect((await connection.exchange('x')).status).toBe(200);
  });
});
