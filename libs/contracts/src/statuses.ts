/** One row a state; the order is the workflow's order and the sort order of lists. */
export const STATUSES = [
  { statusId: 100, kpiKey: 'new', status: 'New', statusZh: '新订单', statusColor: '#2563EB', isTerminal: false },
  {
    statusId: 150,
    kpiKey: 'revision',
    status: 'In Revision',
    statusZh: '修订中',
    statusColor: '#C2410C',
    isTerminal: false,
  },
  {
    statusId: 200,
    kpiKey: 'pending',
    status: 'Pending Approval',
    statusZh: '待审批',
    statusColor: '#A16207',
    isTerminal: false,
  },
  {
    statusId: 300,
    kpiKey: 'confirmed',
    status: 'Confirmed',
    statusZh: '已确认',
    statusColor: '#15803D',
    isTerminal: false,
  },
  {
    statusId: 400,
    kpiKey: 'production',
    status: 'In Production',
    statusZh: '生产中',
    statusColor: '#6D28D9',
    isTerminal: false,
  },
  {
    statusId: 500,
    kpiKey: 'shipped',
    status: 'Shipped',
    statusZh: '已发货',
    statusColor: '#0E7490',
    isTerminal: false,
  },
  {
    statusId: 600,
    kpiKey: 'delivered',
    status: 'Delivered',
    statusZh: '已交付',
    statusColor: '#374151',
    isTerminal: true,
  },
  {
    statusId: 900,
    kpiKey: 'cancelled',
    status: 'Cancelled',
    statusZh: '已取消',
    statusColor: '#B91C1C',
    isTerminal: true,
  },
] as const;

export type Status = (typeof STATUSES)[number];
export type StatusId = Status['statusId'];
export type KpiKey = Status['kpiKey'];

export const STATUS_IDS = STATUSES.map(({ statusId }) => statusId);
export const KPI_KEYS = STATUSES.map(({ kpiKey }) => kpiKey);

const byId = new Map<number, Status>(STATUSES.map((status) => [status.statusId, status]));

/** The row of a status id. Throws RangeError for an id that is not in the table. */
export function statusOf(statusId: number): Status {
  const status = byId.get(statusId);
  if (!status) throw new RangeError(`unknown statusId ${statusId}; known are ${STATUS_IDS.join(', ')}`);
  return status;
}

/** True for one of the eight status ids. */
export function isStatusId(statusId: number): statusId is StatusId {
  return byId.has(statusId);
}

/** What a user may ask for. The key is the name on the wire. */
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

/** What the inventory system causes; never accepted in a request. */
export const SYSTEM_ACTIONS = {
  IMPORT: { label: 'Import', labelZh: '导入' },
  SOURCE_UPDATE: { label: 'Source Update', labelZh: '源单变更' },
  SOURCE_CANCEL: { label: 'Source Cancel', labelZh: '源单取消' },
  SOURCE_CONFLICT: { label: 'Source Conflict', labelZh: '源单冲突' },
} as const;

export type Action = keyof typeof ACTIONS;
export type SystemAction = keyof typeof SYSTEM_ACTIONS;
export type AnyAction = Action | SystemAction;
export type Tone = (typeof ACTIONS)[Action]['tone'];

export const ACTION_NAMES = Object.keys(ACTIONS) as [Action, ...Action[]];
export const ANY_ACTION_NAMES = [...ACTION_NAMES, ...(Object.keys(SYSTEM_ACTIONS) as SystemAction[])] as [
  AnyAction,
  ...AnyAction[],
];

/** English and Chinese label of a user's or a system action. */
export function actionLabels(action: AnyAction): { label: string; labelZh: string } {
  return { ...ACTIONS, ...SYSTEM_ACTIONS }[action];
}
