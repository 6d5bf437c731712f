import { Injectable } from '@nestjs/common';
import {
  type ActionsQuery,
  type AvailableAction,
  type Filters,
  type Profile,
  ROLES,
  STATUSES,
  isStatusId,
} from '@po/contracts';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { availableActions, permissionsOf } from '../domain/workflow.js';
import { OrderSettings } from './order-settings.js';
import { Databases } from '../store/databases.js';
import { buyersFor } from '../lists/buyers.js';

/** Data that a page needs besides orders: filters, actions, and the caller's profile and permissions. */
@Injectable()
export class LookupsQueries {
  constructor(
    private readonly databases: Databases,
    private readonly settings: OrderSettings,
  ) {}

  actions({ statusId, role }: ActionsQuery): Reply<AvailableAction[]> {
    const known = ROLES.find((name) => name === role.toUpperCase());
    const actions =
      known && isStatusId(statusId) ? availableActions(statusId, known, this.settings.commentRequired) : [];
    return ok(actions, { 'cache-control': 'private, max-age=300' });
  }

  async filters({ actor }: RpcContext): Promise<Reply<Filters>> {
    const access = this.databases.accessOf(actor);
    const [vendors, buyers] = await Promise.all([
      access.read<{ name: string }>(
        'vendor-names',
        [],
        // A vendor is stored with its first order, so each of these vendors has orders.
        (own) => `SELECT DISTINCT name_key, name FROM vendors WHERE ${own('code')} ORDER BY name_key, name`,
      ),
      buyersFor(access),
    ]);
    return ok({
      statuses: STATUSES.map(({ status }) => status),
      // Listed by name, so that a new attribute of a status is not published automatically.
      statusDetails: STATUSES.map(({ statusId, kpiKey, status, statusZh, statusColor, isTerminal }, index) => ({
        statusId,
        kpiKey,
        status,
        statusZh,
        statusColor,
        isTerminal,
        sortOrder: index + 1,
      })),
      vendors: vendors.map(({ name }) => name),
      buyers,
    });
  }

  async profile({ actor }: RpcContext): Promise<Reply<Profile>> {
    const { read, vendorCode } = this.databases.accessOf(actor);
    const [vendor] =
      vendorCode === null
        ? []
        : await read<{ name: string }>('vendor-name', [], (own) => `SELECT name FROM vendors WHERE ${own('code')}`);
    return ok({ vendorName: vendor?.name ?? null, permissions: permissionsOf(actor.role) });
  }
}
