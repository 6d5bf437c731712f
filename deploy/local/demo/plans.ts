import type { VendorCode } from './catalogue.js';
import { confirmed, producing, shipped, submitted } from './steps.js';
import type { Steps, Plan } from './orders.js';

function plan(
  vendor: VendorCode,
  articles: Plan['articles'],
  season: string,
  brand: string,
  buyer: Plan['buyer'],
  poDate: number,
  xfd: number,
  steps: Steps = () => [],
  extras: Pick<Plan, 'shipMode' | 'remarks' | 'cancelled'> = {},
): Plan {
  return { vendor, articles, season, brand, buyer, poDate, xfd, steps, ...extras };
}

/** 24 orders of three vendors, covering every status. The two numbers are days from today: order date and ex-factory date. */
export const PLANS: readonly Plan[] = [
  // New
  plan('ACME', { crewTee: 2400, stripeTee: 1200 }, 'SS27', 'Northline', 'buyer', -2, 75),
  plan('BOLT', { kidsLegging: 1800 }, 'SS27', 'Little Oak', 'buyer2', -1, 82, () => [], {
    remarks: 'Nickel-free trims only',
  }),
  plan('CRANE', { linenDress: 900, wrapSkirt: 700 }, 'SS27', 'Maren', 'buyer', -3, 68),
  plan('ACME', { ribBeanie: 3000 }, 'FW26', 'Northline', 'buyer2', -40, -4, () => [], { shipMode: 'Air' }),
  // In Revision
  plan('ACME', { fleeceHoodie: 1500 }, 'FW26', 'Northline', 'buyer', -20, 30, (vendor, buyer) => [
    { by: vendor, reply: { xfdDays: 51, comment: '面料染色延迟，请求延期三周' } },
    ...submitted(vendor, '请确认新的交期'),
    { by: buyer, action: 'REJECT', comment: 'Three weeks is too late for the launch; ten days at most.' },
    { by: vendor, reply: { xfdDays: 40 } },
  ]),
  plan('BOLT', { chino: 1100 }, 'SS27', 'Harbour & Co', 'buyer', -16, 44, (vendor) => [
    { by: vendor, price: { item: 0, price: 10.35 } },
    ...submitted(vendor, 'Cotton is up 6 percent since the quotation'),
    { by: vendor, action: 'RECALL', comment: 'Price sheet was wrong, will send again' },
  ]),
  plan('CRANE', { oxfordShirt: 1300 }, 'SS27', 'Harbour & Co', 'buyer2', -25, 36, (vendor, buyer) => [
    ...confirmed(vendor, buyer),
    { by: buyer, action: 'RECALL', comment: 'Collar changed to cutaway, please quote again' },
  ]),
  // Pending Approval
  plan('ACME', { pimaPolo: 2000 }, 'SS27', 'Harbour & Co', 'buyer', -11, 58, (vendor) => [
    { by: vendor, quantity: { item: 1, factor: 0.9 } },
    { by: vendor, reply: { factory: 'Hefei Knit', comment: '森林绿纱线不足，减产一成' } },
    ...submitted(vendor, '数量调整，请审批'),
  ]),
  plan('BOLT', { slimJean: 1600 }, 'SS27', 'Denim Works', 'buyer2', -9, 63, (vendor) => [
    { by: vendor, reply: { xfdDays: 70, comment: 'Laundry is fully booked that week' } },
    ...submitted(vendor),
  ]),
  plan('CRANE', { rainShell: 600 }, 'SS27', 'Northline', 'buyer', -14, -2, (vendor) =>
    submitted(vendor, 'Accepted as ordered'),
  ),
  // Confirmed
  plan('ACME', { quarterZip: 1000 }, 'FW26', 'Northline', 'buyer', -28, 25, (vendor, buyer) => [
    { by: vendor, reply: { xfdDays: 28 } },
    ...confirmed(vendor, buyer, '可按新交期出货'),
  ]),
  plan('BOLT', { kidsPajama: 1400 }, 'FW26', 'Little Oak', 'buyer2', -30, 21, (vendor, buyer) => [
    { by: vendor, price: { item: 0, price: 5.25 } },
    ...confirmed(vendor, buyer),
  ]),
  plan('CRANE', { canvasTote: 5000 }, 'SS27', 'Maren', 'buyer', -21, 33, (vendor, buyer) => confirmed(vendor, buyer)),
  // In Production
  plan('ACME', { crewTee: 3600 }, 'FW26', 'Northline', 'buyer2', -45, 9, (vendor, buyer) => producing(vendor, buyer)),
  plan('BOLT', { chino: 1900, slimJean: 900 }, 'FW26', 'Denim Works', 'buyer', -50, -6, (vendor, buyer) =>
    producing(vendor, buyer),
  ),
  plan('CRANE', { downVest: 800 }, 'FW26', 'Northline', 'buyer2', -48, 12, (vendor, buyer) => [
    { by: vendor, quantity: { item: 0, factor: 1.05 } },
    ...producing(vendor, buyer),
  ]),
  // Shipped
  plan('ACME', { stripeTee: 1700 }, 'FW26', 'Maren', 'buyer', -70, -8, (vendor, buyer) =>
    shipped(vendor, buyer, 'MSKU7312904', 'MAEU261184403'),
  ),
  plan('BOLT', { kidsLegging: 2600 }, 'FW26', 'Little Oak', 'buyer2', -66, -5, (vendor, buyer) =>
    shipped(vendor, buyer, 'TCLU4420189', 'HLCU5529930'),
  ),
  plan('CRANE', { oxfordShirt: 1150 }, 'FW26', 'Harbour & Co', 'buyer', -72, -11, (vendor, buyer) =>
    shipped(vendor, buyer, 'OOLU8843127', 'OOLU2700415'),
  ),
  // Delivered
  plan('ACME', { fleeceHoodie: 2200 }, 'FW26', 'Northline', 'buyer', -110, -45, (vendor, buyer) => [
    ...shipped(vendor, buyer, 'MSKU5520771', 'MAEU259903318'),
    { by: buyer, action: 'CONFIRM_DELIVERY' },
  ]),
  plan('CRANE', { linenDress: 650 }, 'SS26', 'Maren', 'buyer2', -140, -70, (vendor, buyer) => [
    ...shipped(vendor, buyer, 'CMAU3391552', 'CMDU1180926'),
    { by: buyer, action: 'CONFIRM_DELIVERY', comment: 'Two cartons wet, claim follows' },
  ]),
  // Cancelled
  plan('BOLT', { wrapSkirt: 500 }, 'SS27', 'Maren', 'buyer2', -18, 55, (_vendor, buyer) => [
    { by: buyer, action: 'CANCEL', comment: 'Dropped from the collection' },
  ]),
  plan('ACME', { rainShell: 450 }, 'SS27', 'Northline', 'buyer', -22, 49, (vendor) => submitted(vendor, '按原单接受'), {
    cancelled: 'Budget cut, order withdrawn in the inventory system',
  }),
  plan('CRANE', { pimaPolo: 750 }, 'SS27', 'Harbour & Co', 'buyer', -19, 52, (vendor, buyer) => [
    ...confirmed(vendor, buyer),
    { by: buyer, action: 'CANCEL', comment: '客户取消订单' },
  ]),
];
