import type { OrderDetail } from '../../api/schemas.js';

/** An order for the specs of its head: nothing is replied yet. */
export const sampleHead = (changes: Partial<OrderDetail>): OrderDetail =>
  ({
    poRef: 'PO-1',
    vendor: 'Acme Apparel Ltd.',
    updatedAt: '2027-03-01T10:00:00.000Z',
    originalXfd: '2027-03-01',
    originalFactory: null,
    vendorReplyXfd: null,
    vendorReplyFactory: null,
    vendorReplyComment: null,
    containerNumber: null,
    trackingNumber: null,
    ...changes,
  }) as OrderDetail;
