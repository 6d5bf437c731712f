import { z } from 'zod';
import { ApprovalPolicy, PolicyChange, PolicyPreview, PolicyQuery, PutPolicy } from './api/approval-policies.js';
import { DeleteUser, ExecuteTransition, MarkRead, UpdateHeader, UpdateLines } from './api/commands.js';
import { Message, Participant, PostMessage } from './api/conversation.js';
import { Approvals, Filters, Kpis, Profile, Schedule } from './api/lookups.js';
import {
  DeleteSuppression,
  ReadMark,
  ReadMarksQuery,
  Suppression,
  UnsubscribeQuery,
  Unsubscription,
} from './api/mail.js';
import { MarkedRead, Notification, NotificationsSince, UnreadCount } from './notifications/notification.js';
import { Preferences, PreferencesRequest } from './notifications/preferences.js';
import {
  Activity,
  AvailableAction,
  HistoryEntry,
  LineItem,
  PurchaseOrderDetail,
  PurchaseOrderDiff,
  PurchaseOrderList,
  PurchaseOrderSummary,
  TransitionResult,
} from './orders/purchase-order.js';
import {
  ActionsQuery,
  DetailQuery,
  ListQuery,
  MessageQuery,
  MessagesQuery,
  NoParameters,
  NotificationsQuery,
  NotificationsSinceQuery,
  OrderQuery,
  ParticipantsQuery,
} from './api/queries.js';
import {
  ExportPage,
  ExportPlan,
  ExportQuery,
  ExportedLines,
  ImportChecked,
  ImportLines,
  ImportResult,
  PreviewImport,
} from './api/spreadsheets.js';
import { UserDeleted } from './messages/events.js';
import { TOPICS, type Topic } from './messages/topics.js';
import { BeginTransitions, TransitionsBegun } from './api/transitions.js';
import { DeleteView, ReplaceView, View, ViewRequest } from './api/views.js';

/**
 * A query or command on Kafka: its `x-msg-type`, its topic, the schema of its value and of the body of a successful reply. A `command`
 * makes changes: it is keyed, has a longer timeout, and is deduplicated by its service, because it may be sent again.
 */
export interface RpcPattern<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  type: string;
  topic: Topic;
  kind: 'query' | 'command';
  /** Validated by the service before its handler is called. */
  request: Request;
  /** Enforced by the compiler and the tests; not checked at run time. */
  reply: Reply;
  /**
   * Sent by a service on its own behalf, without a user whose signature it could carry. The topic's access list determines the permitted
   * senders, and the reply contains no order data.
   */
  unsigned?: true;
}

/** The request of a pattern, as its handler gets it. */
export type RequestOf<P extends RpcPattern> = z.output<P['request']>;
/** The body of a successful reply to a pattern. */
export type ReplyBodyOf<P extends RpcPattern> = z.output<P['reply']>;

const on =
  (kind: RpcPattern['kind'], topic: Topic) =>
  <Request extends z.ZodType, Reply extends z.ZodType>(
    type: string,
    request: Request,
    reply: Reply,
  ): RpcPattern<Request, Reply> => ({ kind, topic, type, request, reply });

const orderCommand = on('command', TOPICS.commands);
const orderQuery = on('query', TOPICS.queries);
const inboxCommand = on('command', TOPICS.notificationsRpc);
const inboxQuery = on('query', TOPICS.notificationsRpc);
const dashboardQuery = on('query', TOPICS.dashboardRpc);
const mailQuery = on('query', TOPICS.mailRpc);
const mailCommand = on('command', TOPICS.mailRpc);

/** All requests over Kafka. Controllers answer `PATTERNS.x`, clients send it. */
export const PATTERNS = {
  updateHeader: orderCommand('purchase-order.update-header', UpdateHeader, PurchaseOrderDetail),
  updateLines: orderCommand('purchase-order.update-lines', UpdateLines, z.array(LineItem)),
  transition: orderCommand('purchase-order.transition', ExecuteTransition, TransitionResult),
  beginTransitions: orderCommand('purchase-orders.begin-transitions', BeginTransitions, TransitionsBegun),
  importLines: orderCommand('purchase-order.import-lines', ImportLines, ImportResult),
  putPolicy: orderCommand('approval-policies.put', PutPolicy, ApprovalPolicy),
  deletePolicy: orderCommand('approval-policies.delete', PolicyQuery, z.undefined()),
  postMessage: orderCommand('purchase-order.post-message', PostMessage, Message),
  deleteKnownUser: orderCommand('users.forget', UserDeleted, z.undefined()),

  list: orderQuery('purchase-orders.list', ListQuery, PurchaseOrderList),
  detail: orderQuery('purchase-orders.detail', DetailQuery, PurchaseOrderDetail),
  lineItems: orderQuery('purchase-orders.line-items', OrderQuery, z.array(LineItem)),
  diff: orderQuery('purchase-orders.diff', OrderQuery, PurchaseOrderDiff),
  history: orderQuery('purchase-orders.history', OrderQuery, z.array(HistoryEntry)),
  messages: orderQuery('purchase-order.messages', MessagesQuery, z.array(Message)),
  message: orderQuery('purchase-order.message', MessageQuery, Message),
  participants: orderQuery('purchase-order.participants', ParticipantsQuery, z.array(Participant)),
  checkImport: orderQuery('purchase-orders.check-import', OrderQuery, ImportChecked),
  previewImport: orderQuery('purchase-orders.preview-import', PreviewImport, ImportResult),
  planExport: orderQuery('purchase-orders.plan-export', ExportQuery, ExportPlan),
  exportLines: orderQuery('purchase-orders.export-lines', ExportPage, z.array(ExportedLines)),
  exportOrders: orderQuery('purchase-orders.export-orders', ExportPage, z.array(PurchaseOrderSummary)),
  actions: orderQuery('lookups.actions', ActionsQuery, z.array(AvailableAction)),
  filters: orderQuery('lookups.filters', NoParameters, Filters),
  profile: orderQuery('lookups.profile', NoParameters, Profile),
  statusCounts: orderQuery('purchase-orders.status-counts', NoParameters, Kpis),
  latestActivity: orderQuery('purchase-orders.latest-activity', NoParameters, z.array(Activity)),
  schedule: orderQuery('purchase-orders.schedule', NoParameters, Schedule),
  approvals: orderQuery('purchase-orders.approvals', NoParameters, Approvals),
  policies: orderQuery('approval-policies.list', NoParameters, z.array(ApprovalPolicy)),
  policyHistory: orderQuery('approval-policies.history', PolicyQuery, z.array(PolicyChange)),
  previewPolicy: orderQuery('approval-policies.preview', PutPolicy, PolicyPreview),

  notifications: inboxQuery('notifications.list', NotificationsQuery, z.array(Notification)),
  notificationsSince: inboxQuery('notifications.since', NotificationsSinceQuery, NotificationsSince),
  unreadCount: inboxQuery('notifications.unread-count', NoParameters, UnreadCount),
  markRead: inboxCommand('notifications.mark-read', MarkRead, MarkedRead),
  preferences: inboxQuery('preferences.get', NoParameters, Preferences),
  replacePreferences: inboxCommand('preferences.replace', PreferencesRequest, Preferences),
  deleteUser: inboxCommand('users.delete', DeleteUser, UserDeleted),
  readMarks: { ...inboxQuery('notifications.read-marks', ReadMarksQuery, z.array(ReadMark)), unsigned: true },
  turnOffMail: inboxCommand('preferences.turn-off', Unsubscription, z.undefined()),
  views: inboxQuery('views.list', NoParameters, z.array(View)),
  createView: inboxCommand('views.create', ViewRequest, View),
  replaceView: inboxCommand('views.replace', ReplaceView, View),
  deleteView: inboxCommand('views.delete', DeleteView, z.undefined()),

  kpis: dashboardQuery('dashboard.kpis', NoParameters, Kpis),
  recentActivity: dashboardQuery('dashboard.recent-activity', NoParameters, z.array(Activity)),

  suppressions: mailQuery('mail.suppressions', NoParameters, z.array(Suppression)),
  deleteSuppression: mailCommand('mail.delete-suppression', DeleteSuppression, z.undefined()),
  unsubscription: { ...mailQuery('mail.unsubscription', UnsubscribeQuery, Unsubscription), unsigned: true },
} as const satisfies Record<string, RpcPattern>;
