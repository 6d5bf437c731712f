import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@po/client';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { newDraft, withTyped } from '../conflict/three-way-merge.js';
import { EMPTY, type, type Edits } from '../draft/draft.js';
import type { LinesPatch } from '../draft/patch.js';
import { type Value, valuesOf } from '../fields/header-fields.js';
import { matrixOf } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { type Saver, type Unsaved, saveOrder } from './save-order.js';

const SIZES = ['S', 'M', 'L'];

/** Simulates an order at the API: each write raises its version, and a write with an old version is refused. */
class Order {
  version = 1;
  factory: Value = null;
  originalFactory: Value = null;
  container: Value = null;
  replies: Record<string, number | null> = {};
  /** Requests in order, each with its version. */
  readonly requests: string[] = [];
  /** Changes by others, one of which happens before each write. */
  meanwhile: (() => void)[] = [];
  readonly saved: Edits[] = [];
  refusals = 0;

  detail = () =>
    ({
      version: this.version,
      vendorReplyFactory: this.factory,
      containerNumber: this.container,
      statusId: 100,
      vendorReplyXfd: null,
      vendorReplyComment: null,
      trackingNumber: null,
      originalXfd: '2027-03-01',
      originalFactory: this.originalFactory,
    }) as unknown as OrderDetail;

  lines = (): OrderLines => ({
    version: this.version,
    data: [line({ sizes: Object.fromEntries(SIZES.map((size) => [size, [10, this.replies[size] ?? null] as const])) })],
  });

  other(change: () => void): void {
    this.meanwhile.push(() => {
      change();
      this.version += 1;
    });
  }

  private write(what: string, version: number, change: () => void): void {
    this.meanwhile.shift()?.();
    this.requests.push(`${what} on ${version}`);
    if (version !== this.version) {
      throw new ApiProblem(null, new Response(null, { status: 412 }));
    }
    change();
    this.version += 1;
  }

  readonly saver: Saver = {
    updateOrder: (version, patch) => {
      this.write('head', version, () => {
        if ('vendor_reply_factory' in patch) this.factory = patch.vendor_reply_factory ?? null;
      });
      return Promise.resolve(this.detail());
    },
    updateLines: (version, lines: LinesPatch['lines']) => {
      this.write(`${lines.length} lines`, version, () => {
        for (const { rowHash, vendorReplyQty } of lines) this.replies[rowHash.slice(-1)] = vendorReplyQty ?? null;
      });
      return Promise.resolve(this.lines());
    },
    readOrder: () => Promise.resolve(this.detail()),
    readLines: () => Promise.resolve(this.lines()),
    onOrderSaved: (saved, before) => {
      this.requests.push(`took head, ${before} became ${saved.version}`);
    },
    onLinesSaved: (_saved, sent) => {
      this.saved.push(sent);
    },
    onCellsRefused: () => (this.refusals += 1),
  };
}

/** Unsaved factory and quantities, typed over the order's present values. */
function typing(order: Order, factory: string | null, quantities: Record<string, number>): Unsaved {
  const { data, version } = order.lines();
  const { slots } = matrixOf(data);
  const entries = Object.entries(quantities).map(([size, quantity]) => {
    const slot = slots.get(`quantity:S/RED/${size}`);
    if (!slot) throw new Error(size);
    return [slot, quantity] as const;
  });
  const { edits } = type(EMPTY, entries);
  const values = valuesOf(order.detail());
  return {
    version,
    head: factory === null ? null : withTyped(newDraft(values), values, 'vendor_reply_factory', factory),
    cells: edits.size === 0 ? null : { version, edits, slots },
  };
}

describe('saving an order', () => {
  it('saves the lines with the version that results from saving the header', async () => {
    const order = new Order();
    expect(await saveOrder(typing(order, 'Hefei', { S: 12, M: 13 }), order.saver)).toBe(3);
    expect(order.requests).toEqual(['head on 1', 'took head, 1 became 2', '2 lines on 2']);
    expect([order.factory, order.replies]).toEqual(['Hefei', { S: 12, M: 13 }]);
    expect(order.saved.map((sent) => sent.size)).toEqual([2]);
  });

  it.each([
    ['the header', 'Hefei', {}, ['head on 1', 'took head, 1 became 2']],
    ['the lines', null, { L: 1 }, ['1 lines on 1']],
  ] as const)('saves %s alone', async (_what, factory, quantities, expectedRequests) => {
    const order = new Order();
    expect(await saveOrder(typing(order, factory, quantities), order.saver)).toBe(2);
    expect(order.requests).toEqual(expectedRequests);
  });

  it('retries with the new version if changes by others do not conflict', async () => {
    const order = new Order();
    const unsaved = typing(order, 'Hefei', { S: 12 });
    order.other(() => (order.container = 'C-1'));
    order.other(() => (order.replies.M = 9));
    expect(await saveOrder(unsaved, order.saver)).toBe(5);
    expect([order.factory, order.container, order.replies]).toEqual(['Hefei', 'C-1', { M: 9, S: 12 }]);
    expect(order.refusals).toBe(0);
  });

  it('does not save outdated lines with the newer version of the header', async () => {
    const order = new Order();
    const unsaved = typing(order, 'Hefei', { S: 12 });
    // The header was read later than the lines.
    order.replies.S = 99;
    order.version = 2;
    await expect(saveOrder({ ...unsaved, version: 2 }, order.saver)).rejects.toThrow(ApiProblem);
    expect([order.factory, order.replies]).toEqual(['Hefei', { S: 99 }]);
    expect([order.requests.at(-1), order.refusals]).toEqual(['1 lines on 1', 1]);
  });

  it('does not save the lines if the header has a conflict', async () => {
    const order = new Order();
    const unsaved = typing(order, 'Hefei', { S: 12 });
    order.other(() => (order.factory = 'Suzhou'));
    await expect(saveOrder(unsaved, order.saver)).rejects.toThrow(ApiProblem);
    expect([order.factory, order.replies, order.requests]).toEqual(['Suzhou', {}, ['head on 1']]);
  });

  it('does not save a reply to an original that its author did not see', async () => {
    const order = new Order();
    const unsaved = typing(order, 'Hefei', {});
    order.other(() => (order.originalFactory = 'Ningbo 2'));
    await expect(saveOrder(unsaved, order.saver)).rejects.toThrow(ApiProblem);
    expect([order.factory, order.requests]).toEqual([null, ['head on 1']]);
  });

  it('gives up after three attempts if others keep changing the order', async () => {
    const order = new Order();
    const unsaved = typing(order, null, { S: 12 });
    for (let turn = 0; turn < 5; turn += 1) order.other(() => (order.replies.L = turn));
    await expect(saveOrder(unsaved, order.saver)).rejects.toThrow(ApiProblem);
    expect(order.requests).toHaveLength(3);
  });
});
