import { Controller } from '@nestjs/common';
import {
  type ActionsQuery,
  type Activity,
  type Approvals,
  type AvailableAction,
  type BeginTransitions,
  type DetailQuery,
  type ExecuteTransition,
  type ExportPage,
  type ExportPlan,
  type ExportQuery,
  type ExportedLines,
  type Filters,
  type HistoryEntry,
  type Kpis,
  type ImportChecked,
  type ImportLines,
  type ImportResult,
  type LineItem,
  type ListQuery,
  type NoParameters,
  type OrderQuery,
  type PreviewImport,
  type Profile,
  type PurchaseOrderDetail,
  type PurchaseOrderDiff,
  type PurchaseOrderList,
  type PurchaseOrderSummary,
  type Schedule,
  type TransitionResult,
  type TransitionsBegun,
  type UpdateHeader,
  type UpdateLines,
  PATTERNS,
} from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext } from '@po/messaging';
import { ActivityQueries } from './activity.queries.js';
import { ExportsQueries } from './exports.queries.js';
import { LookupsQueries } from './lookups.queries.js';
import { PurchaseOrdersQueries } from './purchase-orders.queries.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';

/** Requests of the gateway and the dashboard about orders. */
@Controller()
export class PurchaseOrdersController {
  constructor(
    private readonly orders: PurchaseOrdersService,
    private readonly queries: PurchaseOrdersQueries,
    private readonly activity: ActivityQueries,
    private readonly lookups: LookupsQueries,
    private readonly exports: ExportsQueries,
  ) {}

  @RequestPattern(PATTERNS.updateHeader)
  updateHeader(command: UpdateHeader, context: RpcContext): Promise<Reply<PurchaseOrderDetail>> {
    return this.orders.updateHeader(command, context);
  }

  @RequestPattern(PATTERNS.updateLines)
  updateLines(command: UpdateLines, context: RpcContext): Promise<Reply<LineItem[]>> {
    return this.orders.updateLines(command, context);
  }

  @RequestPattern(PATTERNS.importLines)
  importLines(command: ImportLines, context: RpcContext): Promise<Reply<ImportResult>> {
    return this.orders.importLines(command, context);
  }

  @RequestPattern(PATTERNS.transition)
  transition(command: ExecuteTransition, context: RpcContext): Promise<Reply<TransitionResult>> {
    return this.orders.transition(command, context);
  }

  @RequestPattern(PATTERNS.beginTransitions)
  beginTransitions(command: BeginTransitions, context: RpcContext): Promise<Reply<TransitionsBegun>> {
    return this.orders.beginTransitions(command, context);
  }

  @RequestPattern(PATTERNS.list)
  list(query: ListQuery, context: RpcContext): Promise<Reply<PurchaseOrderList>> {
    return this.queries.list(query, context);
  }

  @RequestPattern(PATTERNS.detail)
  detail(query: DetailQuery, context: RpcContext): Promise<Reply<PurchaseOrderDetail>> {
    return this.queries.detail(query, context);
  }

  @RequestPattern(PATTERNS.lineItems)
  lineItems(query: OrderQuery, context: RpcContext): Promise<Reply<LineItem[]>> {
    return this.queries.lineItems(query, context);
  }

  @RequestPattern(PATTERNS.diff)
  diff(query: OrderQuery, context: RpcContext): Promise<Reply<PurchaseOrderDiff>> {
    return this.queries.diff(query, context);
  }

  @RequestPattern(PATTERNS.history)
  history(query: OrderQuery, context: RpcContext): Promise<Reply<HistoryEntry[]>> {
    return this.queries.history(query, context);
  }

  @RequestPattern(PATTERNS.checkImport)
  checkImport(query: OrderQuery, context: RpcContext): Promise<Reply<ImportChecked>> {
    return this.queries.checkImport(query, context);
  }

  @RequestPattern(PATTERNS.previewImport)
  previewImport(query: PreviewImport, context: RpcContext): Promise<Reply<ImportResult>> {
    return this.queries.previewImport(query, context);
  }

  @RequestPattern(PATTERNS.planExport)
  planExport(query: ExportQuery, context: RpcContext): Promise<Reply<ExportPlan>> {
    return this.exports.plan(query, context);
  }

  @RequestPattern(PATTERNS.exportLines)
  exportLines(page: ExportPage, context: RpcContext): Promise<Reply<ExportedLines[]>> {
    return this.exports.lines(page, context);
  }

  @RequestPattern(PATTERNS.exportOrders)
  exportOrders(page: ExportPage, context: RpcContext): Promise<Reply<PurchaseOrderSummary[]>> {
    return this.exports.orders(page, context);
  }

  @RequestPattern(PATTERNS.statusCounts)
  statusCounts(_query: NoParameters, context: RpcContext): Promise<Reply<Kpis>> {
    return this.activity.statusCounts(context);
  }

  @RequestPattern(PATTERNS.latestActivity)
  latestActivity(_query: NoParameters, context: RpcContext): Promise<Reply<Activity[]>> {
    return this.activity.latestActivity(context);
  }

  @RequestPattern(PATTERNS.schedule)
  schedule(_query: NoParameters, context: RpcContext): Promise<Reply<Schedule>> {
    return this.activity.schedule(context);
  }

  @RequestPattern(PATTERNS.approvals)
  approvals(_query: NoParameters, context: RpcContext): Promise<Reply<Approvals>> {
    return this.activity.approvals(context);
  }

  @RequestPattern(PATTERNS.actions)
  actions(query: ActionsQuery): Reply<AvailableAction[]> {
    return this.lookups.actions(query);
  }

  @RequestPattern(PATTERNS.filters)
  filters(_query: NoParameters, context: RpcContext): Promise<Reply<Filters>> {
    return this.lookups.filters(context);
  }

  @RequestPattern(PATTERNS.profile)
  profile(_query: NoParameters, context: RpcContext): Promise<Reply<Profile>> {
    return this.lookups.profile(context);
  }
}
