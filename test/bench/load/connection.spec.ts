import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Connection } from './connection.js';

const opened: { server: Server; connection: Connection }[] = [];

async function connectionTo(onRequest: (socket: Socket) => void): Promise<Connection> {
  const server = createServer((socket) => socket.on('data', () => onRequest(socket)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = new Connection(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  opened.push({ server, connection });
  return connection;
}

afterEach(async () => {
  for (const { server, connection } of opened.splice(0)) {
    connection.close();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('a connection of the load client', () => {
  it('answers with status and body, request after request', async () => {
    let count = 0;
    const connection = await connectionTo((socket) => {
      count += 1;
      socket.write(`HTTP/1.1 20${count} X\r\nContent-Length: 2\r\n\r\n#${count}`);
    });
    const answers = [await connection.exchange('x'), await connection.exchange('x')];
    expect(answers.map(({ status, body }) => [status, body.toString()])).toEqual([
      [201, '#1'],
      [202, '#2'],
    ]);
  });

  it('waits for all parts of an answer', async () => {
    const connection = await connectionTo((socket) => {
      socket.setNoDelay(true).write('HTTP/1.1 200 OK\r\ncontent-le');
      setImmediate(() => {
        socket.write('ngth: 5\r\n\r\nhe');
        setImmediate(() => socket.write('llo'));
      });
    });
    const { status, body } = await connection.exchange('x');
    expect([status, body.toString()]).toEqual([200, 'hello']);
  });

  it('fails the request of a connection that breaks, and opens another for the next', async () => {
    let breaks = true;
    const connection = await connectionTo((socket) => {
      if (breaks) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      breaks = false;
    });
    await expect(connection.exchange('x')).rejects.toThrow(/closed|ECONNRESET/);
    expect((await connection.exchange('x')).status).toBe(200);
  });
});
