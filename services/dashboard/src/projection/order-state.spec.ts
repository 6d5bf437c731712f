import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, HEADERS, TOPICS } from '@po/contracts';
import { ContentError, type IncomingRecord } from '@po/messaging';
import { SampleOrder, type SampleState } from '../fixtures/order-states.js';
import { OrderState, activityOf, orderStateOf } from './order-state.js';

const state = new SampleOrder('PO-1', 'ACME').moveTo(200);

function record(over: Partial<IncomingRecord> & { state?: unknown } = {}): IncomingRecord {
  return {
    topic: TOPICS.state,
    partition: 0,
    offset: '7',
    key: Buffer.from('PO-1'),
    value: Buffer.from(JSON.stringify('state' in over ? over.state : state)),
    headers: { [HEADERS.cloudEventType]: EVENT_TYPES.stateChanged },
    rawHeaders: {},
    timestamp: 0,
    ...over,
  };
}

describe('an order state', () => {
  it('is parsed from a record', () => {
    expect(orderStateOf(record())).toEqual(state);
  });

  it('omits fields that the dashboard does not need', () => {
    const [entry] = state.recentActivity;
    const newer = { ...state, cells: [], recentActivity: [{ ...entry, action: 'REOPEN', shiny: true }] };
    expect(orderStateOf(record({ state: newer }))).toEqual({
      ...state,
      recentActivity: [{ ...entry, action: 'REOPEN' }],
    });
  });

  it('has status changes with labels, and shows unknown actions and statuses by name or id', () => {
    const [change] = state.recentActivity;
    expect(activityOf(state, change!)).toEqual({
      ...change,
      poRef: 'PO-1',
      poNumber: 'PO-1',
      vendor: 'ACME Ltd.',
      vendorCode: 'ACME',
      actionLabel: 'Recall',
      actionLabelZh: '撤回',
      fromStatus: 'New',
      fromStatusZh: '新订单',
      toStatus: 'Pending Approval',
      toStatusZh: '待审批',
      statusColor: '#A16207',
    });
    expect(activityOf(state, { ...change!, action: 'REOPEN', toStatusId: 450 })).toMatchObject({
      actionLabel: 'REOPEN',
      toStatus: '450',
      toStatusZh: '450',
    });
  });

  it.each<[string, Parameters<typeof record>[0]]>([
    ['a null value', { value: null }],
    ['invalid JSON', { value: Buffer.from('{') }],
    ['invalid UTF-8', { value: Buffer.from([0x22, 0xff, 0x22]) }],
    ['no type', { headers: {} }],
    ['another type', { headers: { [HEADERS.cloudEventType]: EVENT_TYPES.transitioned } }],
    ['no key', { key: null }],
    ["another order's key", { key: Buffer.from('PO-2') }],
    ['a missing field', { state: { ...state, vendorCode: undefined } }],
    ['a negative version', { state: { ...state, poVersion: -1 } }],
    ['an activity without its instant', { state: { ...state, recentActivity: [{ id: 'x' }] } }],
  ])('throws a content error for %s', (_what, over) => {
    expect(() => orderStateOf(record(over))).toThrow(ContentError);
  });

  it('accepts an unknown status', () => {
    const future: SampleState = { ...state, statusId: 450 };
    expect(OrderState.parse(future).statusId).toBe(450);
  });
});
