import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { patchConnection } from './connection-patch.js';
import { kafkaJsModule } from './patch-kafkajs.js';

interface Connection {
  connect(): Promise<boolean>;
  disconnect(): Promise<boolean>;
  send(protocol: object): Promise<string>;
}

let server: Server;
let connection: Connection;
const sockets: Socket[] = [];

/** A KafkaJS connection to a server that calls `serve` for each request, with the socket and its index. */
async function open(serve: (socket: Socket, index: number, request: Buffer) => void): Promise<void> {
  server = createServer((socket) => {
    const index = sockets.push(socket) - 1;
    socket.on('data', (request) => serve(socket, index, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  patchConnection();
  patchConnection();
  const { port } = server.address() as AddressInfo;
  const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined, namespace: () => silent };
  const Connection = kafkaJsModule<new (options: object) => Connection>('network/connection');
  connection = new Connection({
    host: '127.0.0.1',
    port,
    logger: silent,
    requestTimeout: 2_000,
    connectionTimeout: 2_000,
    socketFactory: ({ onConnect }: { onConnect: () => void }) => connect({ host: '127.0.0.1', port }, onConnect),
  });
}

function ask(): Promise<string> {
  const Encoder = kafkaJsModule<new () => object>('protocol/encoder');
  return connection.send({
    request: { apiKey: 18, apiName: 'Asked', apiVersion: 0, encode: async () => new Encoder() },
    response: { decode: async (payload: Buffer) => payload, parse: async (payload: Buffer) => payload.toString() },
  });
}

/** A response with the correlation id of the request, which follows length, key and version. */
function answer(request: Buffer, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + text.length);
  return Buffer.concat([length, request.subarray(8, 12), Buffer.from(text)]);
}

afterEach(async () => {
  await connection.disconnect();
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

it('a connection discards a partial response when it reconnects', async () => {
  await open((socket, index, request) => {
    if (index === 0) socket.end(answer(request, 'never whole').subarray(0, 7));
    else socket.write(answer(request, 'answered'));
  });
  await connection.connect();
  await expect(ask()).rejects.toThrow('Closed connection');
  await connection.connect();
  expect(await ask()).toBe('answered');
});

it('a connection opens one socket for concurrent connects', async () => {
  await open((socket, _, request) => void socket.write(answer(request, 'answered')));
  expect(await Promise.all([connection.connect(), connection.connect(), connection.connect()])).toEqual([
    true,
    true,
    true,
  ]);
  expect(await ask()).toBe('answered');
  expect(sockets).toHaveLength(1);
});

it('a connection connects again after a failed attempt', async () => {
  await open((socket, _, request) => void socket.write(answer(request, 'answered')));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await expect(connection.connect()).rejects.toThrow('ECONNREFUSED');
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await connection.connect()).toBe(true);
  expect(await ask()).toBe('answered');
});
