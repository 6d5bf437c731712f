import { expect, test } from '@jest/globals';
import { serverProperties } from './kafka-properties.js';

test('server.properties escapes non-ASCII letters of the data folder, because Kafka reads ISO 8859-1', async () => {
  const node = { id: 1, kafka: 1, controller: 2 };
  const options = { data: '', log: '', cache: '', nodes: [node], brokerSessionMs: 3_000 };
  const text = await serverProperties(String.raw`/home/é/订单 & \1`, node, options);
  expect(text).toContain(String.raw`log.dirs=/home/\u00e9/\u8ba2\u5355 & \\1`);
});
