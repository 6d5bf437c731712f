/** Status ids by name, for rules. */
export const STATUS = {
  NEW: 100,
  IN_REVISION: 150,
  PENDING_APPROVAL: 200,
  CONFIRMED: 300,
  IN_PRODUCTION: 400,
  SHIPPED: 500,
  DELIVERED: 600,
  CANCELLED: 900,
} as const;
export type StatusId = (typeof STATUS)[keyof typeof STATUS];

const state = <Id extends StatusId, Key extends string, Label extends string>(
  statusId: Id,
  kpiKey: Key,
  status: Label,
  statusZh: string,
  statusColor: string,
  attributes: readonly Attribute[],
) => ({
  statusId,
  kpiKey,
  status,
  statusZh,
  statusColor,
  isOpen: attributes.includes('isOpen'),
  acceptsReplies: attributes.includes('acceptsReplies'),
  acceptsShipment: attributes.includes('acceptsShipment'),
  followsSource: attributes.includes('followsSource'),
  isTerminal: attributes.includes('isTerminal'),
});

/**
 * Attributes of a status for rules. Some rules list ids instead, such as the reminder rules.
 *
 * - isOpen: the goods have not left the factory and the order is not cancelled, so the source may cancel it.
 * - acceptsReplies: the vendor may propose values.
 * - acceptsShipment: the vendor may enter container and tracking numbers, which need no approval.
 * - followsSource: a change by the source takes effect and drops the vendor's reply. In other statuses it is a conflict, and replies stay.
 * - isTerminal: no transition leads out of it.
 */
type Attribute = 'isOpen' | 'acceptsReplies' | 'acceptsShipment' | 'followsSource' | 'isTerminal';

/** One row per status, in the order of the workflow and of sorted lists. */
export const STATUSES = [
  state(STATUS.NEW, 'new', 'New', '新订单', '#2563EB', ['isOpen', 'acceptsReplies', 'followsSource']),
  state(STATUS.IN_REVISION, 'revision', 'In Revision', '修订中', '#C2410C', [
    'isOpen',
    'acceptsReplies',
    'followsSource',
  ]),
  state(STATUS.PENDING_APPROVAL, 'pending', 'Pending Approval', '待审批', '#A16207', ['isOpen', 'followsSource']),
  state(STATUS.CONFIRMED, 'confirmed', 'Confirmed', '已确认', '#15803D', [
    'isOpen',
    'acceptsShipment',
    'followsSource',
  ]),
  state(STATUS.IN_PRODUCTION, 'production', 'In Production', '生产中', '#6D28D9', ['isOpen', 'acceptsShipment']),
  state(STATUS.SHIPPED, 'shipped', 'Shipped', '已发货', '#0E7490', ['acceptsShipment']),
  state(STATUS.DELIVERED, 'delivered', 'Delivered', '已交付', '#374151', ['isTerminal']),
  state(STATUS.CANCELLED, 'cancelled', 'Cancelled', '已取消', '#B91C1C', ['isTerminal']),
] as const;

type Status = (typeof STATUSES)[number];
/** English labels, which filters accept. */
export type StatusLabel = Status['status'];

export const STATUS_IDS = STATUSES.map(({ statusId }) => statusId);
export const KPI_KEYS = STATUSES.map(({ kpiKey }) => kpiKey);

/** A value for each status, by its KPI key. */
export function kpisOf<Value>(valueOf: (statusId: StatusId) => Value): Record<Status['kpiKey'], Value>;
export function kpisOf(valueOf: (statusId: StatusId) => unknown): object {
  return Object.fromEntries(STATUSES.map(({ kpiKey, statusId }) => [kpiKey, valueOf(statusId)]));
}

const UNKNOWN_COLOR = '#374151';
const byId = new Map<number, Status>(STATUSES.map((status) => [status.statusId, status]));

/** Returns the row of a status id. Throws RangeError for an unknown id. */
export function statusOf(statusId: number): Status {
  const status = byId.get(statusId);
  if (!status) throw new RangeError(`unknown statusId ${statusId}; known are ${STATUS_IDS.join(', ')}`);
  return status;
}

/** True for an id of `STATUSES`. */
export function isStatusId(statusId: number): statusId is StatusId {
  return byId.has(statusId);
}

/** Actions of users. The key is the published name. */
export const ACTIONS = {
  SUBMIT: { label: 'Submit', labelZh: '提交', tone: 'primary' },
  APPROVE: { label: 'Approve', labelZh: '批准', tone: 'primary' },
  REJECT: { label: 'Reject', labelZh: '驳回', tone: 'danger' },
  RECALL: { label: 'Recall', labelZh: '撤回', tone: 'neutral' },
  MOVE_TO_PRODUCTION: { label: 'Move to Production', labelZh: '投产', tone: 'primary' },
  MARK_SHIPPED: { label: 'Mark Shipped', labelZh: '标记发货', tone: 'primary' },
  CONFIRM_DELIVERY: { label: 'Confirm Delivery', labelZh: '确认收货', tone: 'primary' },
  CANCEL: { label: 'Cancel', labelZh: '取消', tone: 'danger' },
} as const;

/** Actions of the inventory system; never accepted in a request. */
const SYSTEM_ACTIONS = {
  IMPORT: { label: 'Import', labelZh: '导入' },
  SOURCE_UPDATE: { label: 'Source Update', labelZh: '源单变更' },
  SOURCE_CANCEL: { label: 'Source Cancel', labelZh: '源单取消' },
  SOURCE_CONFLICT: { label: 'Source Conflict', labelZh: '源单冲突' },
} as const;

export type Action = keyof typeof ACTIONS;
export type SystemAction = keyof typeof SYSTEM_ACTIONS;
export type AnyAction = Action | SystemAction;

export const ACTION_NAMES = Object.keys(ACTIONS) as [Action, ...Action[]];
export const ANY_ACTION_NAMES = [...ACTION_NAMES, ...(Object.keys(SYSTEM_ACTIONS) as SystemAction[])] as [
  AnyAction,
  ...AnyAction[],
];

const LABELS: Record<AnyAction, { label: string; labelZh: string }> = { ...ACTIONS, ...SYSTEM_ACTIONS };

/** False for an action that only a newer version knows. */
export function isAnyAction(action: string): action is AnyAction {
  return Object.hasOwn(LABELS, action);
}

/** English and Chinese label of a user or system action; an unknown action of a newer version is shown by its name. */
export function actionLabels(action: string): { label: string; labelZh: string } {
  return isAnyAction(action) ? LABELS[action] : { label: action, labelZh: action };
}

interface StatusChanged {
  action: string;
  /** Null for the first entry of an order. */
  fromStatusId: number | null;
  toStatusId: number;
}

/** Labels of a history entry's action and statuses. */
export function entryLabels({ action, fromStatusId, toStatusId }: StatusChanged) {
  const { label, labelZh } = actionLabels(action);
  const from = fromStatusId === null ? null : anyStatus(fromStatusId);
  const to = anyStatus(toStatusId);
  return {
    actionLabel: label,
    actionLabelZh: labelZh,
    fromStatus: from?.status ?? null,
    fromStatusZh: from?.statusZh ?? null,
    toStatus: to.status,
    toStatusZh: to.statusZh,
    statusColor: to.statusColor,
  };
}

/** Labels and color of a status; an unknown status of a newer version is shown by its id. */
export function anyStatus(statusId: number): { status: string; statusZh: string; statusColor: string } {
  return byId.get(statusId) ?? { status: `${statusId}`, statusZh: `${statusId}`, statusColor: UNKNOWN_COLOR };
}
