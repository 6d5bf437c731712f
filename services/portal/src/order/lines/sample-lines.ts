import type { LineItem } from '../../api/schemas.js';

/** Test data of a line item. A quantity is the original alone, or original, reply and optionally the agreed quantity. */
interface Sample {
  style?: string;
  color?: string;
  sizes: Readonly<Record<string, number | readonly [original: number, reply: number | null, agreed?: number]>>;
  price?: number;
  replyPrice?: number | null;
  agreedPrice?: number | null;
}

export function line({
  style = 'S',
  color = 'RED',
  sizes,
  price = 2,
  replyPrice = null,
  agreedPrice = null,
}: Sample): LineItem {
  const entries = Object.entries(sizes).map(([size, value]) => {
    const [originalQty, vendorReplyQty, agreedQty = null] = typeof value === 'number' ? [value, null] : value;
    const qty = vendorReplyQty ?? originalQty;
    return { size, qty, originalQty, vendorReplyQty, agreedQty, rowHash: `${style}/${color}/${size}`, lineId: size };
  });
  const total = (name: 'originalQty' | 'qty') => entries.reduce((sum, entry) => sum + entry[name], 0);
  const unitPrice = replyPrice ?? price;
  return {
    code: `${style}-${color}`,
    style,
    color,
    unitPrice,
    originalUnitPrice: price,
    vendorReplyUnitPrice: replyPrice,
    agreedUnitPrice: agreedPrice,
    sizes: Object.fromEntries(entries.map(({ size, ...entry }) => [size, entry])),
    sizeOrder: entries.map(({ size }) => size),
    totalQty: total('qty'),
    originalTotalQty: total('originalQty'),
    totalAmount: Math.round(total('qty') * unitPrice * 100) / 100,
    originalTotalAmount: Math.round(total('originalQty') * price * 100) / 100,
    isModified: replyPrice !== null || entries.some(({ qty, originalQty }) => qty !== originalQty),
  };
}
