import { type Activity, EVENT_TYPES, HEADERS, STATUS_IDS, TOPICS, actionLabels, statusOf } from '@po/contracts';
import type { OutgoingRecord } from '@po/messaging';

const FEED_LENGTH = 20;

/** What the dashboard reads of a `po.state.v1` record. */
export interface SampleState {
  poRef: string;
  poVersion: number;
  vendorCode: string;
  statusId: number;
  recentActivity: Activity[];
}

let entries = 0;

/** An order that walks from status to status, and its state on `po.state.v1` after each step. */
export class SampleOrder {
  private version = 1;
  private statusId = 100;
  private readonly activity: Activity[] = [];

  constructor(
    readonly poRef: string,
    readonly vendorCode: string,
  ) {}

  /** Changes the status at an instant (epoch milliseconds, not before the last one) and answers the new state. */
  moveTo(statusId: number, at = Date.now()): SampleState {
    const [from, to] = [statusOf(this.statusId), statusOf(statusId)];
    const { label, labelZh } = actionLabels('RECALL');
    entries += 1;
    this.activity.unshift({
      id: `0197-${String(entries).padStart(12, '0')}`,
      poRef: this.poRef,
      poNumber: this.poRef,
      vendor: `${this.vendorCode} Ltd.`,
      vendorCode: this.vendorCode,
      action: 'RECALL',
      actionLabel: label,
      actionLabelZh: labelZh,
      fromStatusId: from.statusId,
      fromStatus: from.status,
      fromStatusZh: from.statusZh,
      toStatusId: to.statusId,
      toStatus: to.status,
      toStatusZh: to.statusZh,
      statusColor: to.statusColor,
      actorName: 'Li Wei',
      actorRole: 'VENDOR',
      comment: '数量 "confirmed"',
      occurredAt: new Date(at).toISOString(),
    });
    this.statusId = statusId;
    this.version += 1;
    return this.state();
  }

  state(): SampleState {
    const { poRef, vendorCode, statusId, version: poVersion } = this;
    return { poRef, vendorCode, statusId, poVersion, recentActivity: this.activity.slice(0, FEED_LENGTH) };
  }
}

/** `count` orders of the vendors ACME, BOLT and CRANE, spread over all states. */
export function sampleOrders(count: number): SampleState[] {
  return Array.from({ length: count }, (_, index) => {
    const order = new SampleOrder(`PO-${index}`, ['ACME', 'BOLT', 'CRANE'][index % 3] as string);
    return order.moveTo(STATUS_IDS[index % STATUS_IDS.length] as number);
  });
}

/** The record of a state as the order service publishes it. */
export function stateRecord(state: SampleState): OutgoingRecord {
  return {
    topic: TOPICS.state,
    key: state.poRef,
    value: JSON.stringify(state),
    headers: { [HEADERS.cloudEventType]: EVENT_TYPES.stateChanged },
  };
}
