import { expect, it } from '@jest/globals';
import { childTraceparent, traceIdOf } from './traceparent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

it.each(['00', '01'])('childTraceparent continues a valid trace with a new span id and keeps the flags %s', (flags) => {
  const incoming = `00-${TRACE}-${SPAN}-${flags}`;
  const child = childTraceparent(incoming);
  expect(child).toMatch(new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-${flags}$`));
});

it.each([
  undefined,
  '',
  'x',
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
])('childTraceparent starts an unsampled trace for the invalid header %s', (bad) => {
  expect(traceIdOf(bad)).toBeUndefined();
  expect(childTraceparent(bad)).toMatch(new RegExp(`^00-(?!${TRACE})[0-9a-f]{32}-[0-9a-f]{16}-00$`));
});
