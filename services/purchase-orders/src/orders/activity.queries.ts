import { Injectable } from '@nestjs/common';
import { type Activity, type Approvals, type Kpis, type Schedule, type StatusId, kpisOf } from '@po/contracts';
import { selectList } from '@po/database';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { readSchedule } from '../lists/schedule.js';
import { Databases } from '../store/databases.js';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { ENTRY_PROPERTIES, type EntryRow, activityOf } from './purchase-order.view.js';

const LATEST = 20;
/** Excludes `changes`, which may have megabytes in one entry. */
const COLUMNS = selectList(HistoryEntryEntity, 'h', [...ENTRY_PROPERTIES, 'vendorCode']);
const APPROVALS_DAYS = 30;

/** Dashboard data in the caller's scope, read directly from the orders. */
@Injectable()
export class ActivityQueries {
  constructor(private readonly databases: Databases) {}

  async statusCounts({ actor }: RpcContext): Promise<Reply<Kpis>> {
    const { read } = this.databases.accessOf(actor);
    const rows = await read<{ statusId: StatusId; orders: string }>(
      'status-counts',
      [],
      (own) => `SELECT o.status_id AS "statusId", count(*) AS orders FROM purchase_orders o
                 WHERE ${own('o.vendor_code')} GROUP BY o.status_id`,
    );
    const counts = new Map(rows.map(({ statusId, orders }) => [statusId, Number(orders)]));
    return ok(kpisOf((statusId) => counts.get(statusId) ?? 0));
  }

  async latestActivity({ actor }: RpcContext): Promise<Reply<Activity[]>> {
    const { read } = this.databases.accessOf(actor);
    const rows = await read<EntryRow & { vendorCode: string; vendorName: string }>(
      'latest-activity',
      [],
      (own) => `SELECT ${COLUMNS}, v.name AS "vendorName"
                  FROM history h JOIN vendors v ON v.code = h.vendor_code
                 WHERE h.from_status_id <> h.to_status_id AND ${own('h.vendor_code')}
                 ORDER BY h.occurred_at DESC, h.id DESC LIMIT ${LATEST}`,
    );
    return ok(rows.map((row) => activityOf(row, row.vendorName)));
  }

  async approvals({ actor }: RpcContext): Promise<Reply<Approvals>> {
    const { read } = this.databases.accessOf(actor);
    const [row] = await read<{ approved: string; automatic: string }>(
      'approvals',
      [APPROVALS_DAYS],
      (own) => `SELECT count(*) AS approved, count(*) FILTER (WHERE h.actor_role = 'SYSTEM') AS automatic FROM history h
                 WHERE h.action = 'APPROVE' AND h.occurred_at > now() - make_interval(days => $1) AND ${own('h.vendor_code')}`,
    );
    return ok({ days: APPROVALS_DAYS, approved: Number(row?.approved), automatic: Number(row?.automatic) });
  }

  async schedule({ actor }: RpcContext): Promise<Reply<Schedule>> {
    return ok(await this.databases.accessOf(actor).readAll((read) => readSchedule(read, new Date())));
  }
}
