import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ARTICLES } from '../../../deploy/local/demo/catalogue.js';
import { REPOSITORY } from '../../../deploy/local/repository.js';
import { act, linesOf } from '../../e2e/world.js';
import { BUYER, waitForStatus } from '../journey.js';
import { BOLT } from '../orders-list.js';
import { takeScreenshot } from '../screenshots.js';
import { waitUntilLive, portalTests } from '../visitors.js';

/** Limit for the picture in the repository, which every clone downloads. */
const MAX_BYTES = 200_000;
const PICTURE = join(REPOSITORY, 'services/portal/screenshots/order-page.png');
const PIECES = [480, 720, 360, 900, 600, 800, 640];

const rows = [ARTICLES.quarterZip, ARTICLES.crewTee, ARTICLES.oxfordShirt].flatMap(
  ({ style, colors, sizes, split, price }) => colors.map((color) => ({ style, color, sizes, split, price })),
);
const lines = rows.flatMap(({ style, color, sizes, split, price }, row) =>
  sizes.map((size, index) => ({
    lineId: `${style}-${color}-${size}`,
    code: `${style}-${color}`,
    sku: `${style}-${color}-${size}`,
    style,
    color,
    size,
    qty: Math.round(((PIECES[row] ?? 0) * (split[index] ?? 0)) / 100),
    unitPrice: price,
  })),
);

describe('the picture of the README', () => {
  const { visitors, world } = portalTests();

  /** An order with a reply of the vendor, a rejection by the buyer, and a new reply. */
  const negotiated = async () => {
    const { poNumber } = await world.importOrder({
      poNumber: `PO-46000${Date.now() % 100_000}`,
      poDate: '2026-11-02',
      xfd: '2027-03-01',
      factory: 'Tirupur Unit 4',
      ...BOLT,
      season: 'SS27',
      brand: 'Northline',
      shipMode: 'Sea',
      tradeTerm: 'FOB',
      paymentTerm: 'TT 60 days',
      destination: 'Rotterdam DC',
      remarks: 'Nickel-free trims only',
      buyer: { name: 'Marta Lind', email: 'buyer2@example.com' },
      lines,
    });
    const vendor = world.as('vendor:BOLT');
    const reply = (body: object) => vendor.patch(`/purchase-orders/${poNumber}`, body);
    await reply({ vendor_reply_xfd: '2027-03-22', vendor_reply_comment: 'Dyehouse is booked until mid-February' });
    const items = await linesOf(vendor, poNumber);
    const hash = (item: number, size: string) => items[item]?.sizes[size]?.rowHash;
    const changes = [
      ...['M', 'L', 'XL'].map((size) => ({
        rowHash: hash(1, size),
        vendorReplyQty: Math.round((items[1]?.sizes[size]?.originalQty ?? 0) * 0.9),
      })),
      { rowHash: hash(3, 'S'), vendorReplyQty: 180 },
      { rowHash: hash(3, 'M'), vendorReplyQty: 260 },
      ...[2, 3, 4].map((item) => ({ rowHash: hash(item, 'XS'), vendorReplyUnitPrice: 3.95 })),
    ];
    await vendor.patch(`/purchase-orders/${poNumber}/line-items`, { lines: changes });
    await act(vendor, poNumber, 'SUBMIT', 'Cotton is up since the quotation');
    await act(world.as(BUYER), poNumber, 'REJECT', 'Three weeks is too late for the launch: ten days at most.');
    await reply({ vendor_reply_xfd: '2027-03-10', vendor_reply_factory: 'Karur Dyehouse' });
    await act(vendor, poNumber, 'SUBMIT', 'Second dyehouse found, ten days it is');
    return poNumber;
  };

  it('shows an order with differences and comments (PICTURE=1 updates it)', async () => {
    const poNumber = await negotiated();
    const visitor = await visitors.visit({ height: 1000 });
    const page = await visitor.signIn(BUYER, `/orders/${poNumber}`);
    await waitForStatus(page, 'Pending Approval');
    await waitUntilLive(page);
    await page.locator('ol > li').getByText('Second dyehouse found').waitFor();
    if (process.env.PICTURE === '1') await writeFile(PICTURE, await takeScreenshot(page));
    expect((await stat(PICTURE)).size).toBeLessThanOrEqual(MAX_BYTES);
  });
});
