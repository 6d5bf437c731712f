import { describe, expect, it } from '@jest/globals';
import { HEADERS, TOPICS } from '@po/contracts';
import { deadLetterOf } from './redrive.js';
import { fullText, summaryLine } from './tool-text.js';

const letter = ({
  value = Buffer.from('{}') as Buffer | null,
  key = 'PO-1' as string | null,
  headers = {} as Record<string, string>,
} = {}) =>
  deadLetterOf({
    topic: 'purchase-orders.inventory.dlq.v1',
    partition: 1,
    offset: '42',
    timestamp: 0,
    rawHeaders: {},
    value,
    headers,
    key: key === null ? null : Buffer.from(key),
  });

const origin = {
  [HEADERS.deadLetterTopic]: TOPICS.inventory,
  [HEADERS.deadLetterPartition]: '3',
  [HEADERS.deadLetterOffset]: '9',
};

describe('a dead letter as text', () => {
  it('is one line with position, origin, key, time and reason, for any bytes', () => {
    const headers = { ...origin, [HEADERS.deadLetterReason]: 'bad\n\u001b[2J' };
    expect(summaryLine(letter({ headers, key: 'PO\r1' }))).toBe(
      'purchase-orders.inventory.dlq.v1/1/42  from inventory.purchase-orders.v1/3/9  key PO\\u000d1  ' +
        '1970-01-01T00:00:00.000Z  bad\\u000a\\u001b[2J',
    );
    expect(summaryLine(letter({ key: null, headers: { [HEADERS.deadLetterReason]: 'x'.repeat(900) } }))).toMatch(
      /from unknown {2}key null .*x{160}…$/,
    );
  });

  it('has the headers and the value: JSON unchanged, any other value in hexadecimal', () => {
    const shown = (value: Buffer | null) => fullText(letter({ value, headers: origin })).split('\n\n')[1];
    expect(fullText(letter({ headers: origin }))).toBe(
      'purchase-orders.inventory.dlq.v1/1/42\nkey: PO-1\nx-dlq-topic: inventory.purchase-orders.v1\n' +
        'x-dlq-partition: 3\nx-dlq-offset: 9\n\n{}',
    );
    expect(shown(Buffer.from('{\n\t"订单": 1 }'))).toBe('{\n\t"订单": 1 }');
    expect(shown(Buffer.from('"\u009b2J"'))).toBe('"\\u009b2J"');
    expect(shown(Buffer.from('{"po'))).toBe('7b22706f');
    expect(shown(Buffer.from([0x22, 0xff, 0x22]))).toBe('22ff22');
    expect(shown(null)).toBe('null: the record has no value');
  });
});
