import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { PATTERNS, type PurchaseOrderDetail } from '@po/contracts';
import { RequestPattern, type Reply, ok } from '@po/messaging';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';

@Controller()
class OrderService {
  @RequestPattern(PATTERNS.updateHeader)
  updateHeader(): Reply<PurchaseOrderDetail> {
    return ok({ poRef: 'PO-1' } as PurchaseOrderDetail);
  }
}

let gateway: RunningGateway;
afterEach(() => gateway.stop());

/** Sends an edit with a body of `size` bytes: half of it, and the rest when `rest` resolves. Resolves with the response. */
async function edit(size: number, rest: Promise<unknown>): Promise<string> {
  const token = gateway.provider.token({ role: 'VENDOR', vendor_code: 'ACME' });
  const head = `PATCH /api/purchase-orders/PO-1 HTTP/1.1\r\nhost: x\r\nx-user-token: ${token}\r\ncontent-type: application/json\r\n`;
  const body = '{"vendor_reply_factory":"B"}'.padEnd(size);
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
  socket.write(`${head}content-length: ${size}\r\n\r\n${body.slice(0, size / 2)}`);
  void rest.then(() => socket.write(body.slice(size / 2)));
  const [answer] = (await once(socket, 'data')) as [string];
  socket.destroy();
  return answer;
}

it('a large body may take longer than a small one if it arrives at the minimum rate', async () => {
  gateway = await runGateway({ services: [OrderService], admission: { smallBodyMs: 500, uploadRateWindowMs: 60_000 } });
  expect(await edit(1_000_000, delay(1_000))).toMatch(/^HTTP\/1\.1 200 /);
});

it('a small body that does not arrive in time is refused, and its connection is closed', async () => {
  gateway = await runGateway({ services: [OrderService], admission: { smallBodyMs: 100 } });
  const answer = await edit(100, new Promise(() => undefined));
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close[^]*too slowly/i);
});
