import {
  ACTIONS,
  ACTION_NAMES,
  type Action,
  type AvailableAction,
  type EditableField,
  HEADER_FIELDS,
  LINE_FIELDS,
  ProblemError,
  type Role,
  STATUS,
  STATUSES,
  STATUS_IDS,
  type StatusId,
  isStatusId,
  statusOf,
} from '@po/contracts';

/** An action, the statuses in which it is allowed, the roles that may take it, and the status that it leads to. */
export interface Transition {
  action: Action;
  from: readonly StatusId[];
  roles: readonly Role[];
  to: StatusId;
}

const { NEW, IN_REVISION, PENDING_APPROVAL, CONFIRMED, IN_PRODUCTION, SHIPPED, DELIVERED, CANCELLED } = STATUS;

/** The allowed transitions. All others are refused. */
export const TRANSITIONS: readonly Transition[] = [
  { action: 'SUBMIT', from: [NEW, IN_REVISION], roles: ['VENDOR'], to: PENDING_APPROVAL },
  { action: 'APPROVE', from: [PENDING_APPROVAL], roles: ['BUYER', 'ADMIN'], to: CONFIRMED },
  { action: 'REJECT', from: [PENDING_APPROVAL], roles: ['BUYER', 'ADMIN'], to: IN_REVISION },
  { action: 'RECALL', from: [PENDING_APPROVAL], roles: ['VENDOR'], to: IN_REVISION },
  { action: 'RECALL', from: [CONFIRMED], roles: ['VENDOR', 'BUYER', 'ADMIN'], to: IN_REVISION },
  { action: 'RECALL', from: [IN_PRODUCTION], roles: ['BUYER', 'ADMIN'], to: IN_REVISION },
  { action: 'MOVE_TO_PRODUCTION', from: [CONFIRMED], roles: ['VENDOR', 'BUYER', 'ADMIN'], to: IN_PRODUCTION },
  { action: 'MARK_SHIPPED', from: [IN_PRODUCTION], roles: ['VENDOR', 'ADMIN'], to: SHIPPED },
  { action: 'CONFIRM_DELIVERY', from: [SHIPPED], roles: ['BUYER', 'ADMIN'], to: DELIVERED },
  {
    action: 'CANCEL',
    from: [NEW, IN_REVISION, PENDING_APPROVAL, CONFIRMED, IN_PRODUCTION],
    roles: ['BUYER', 'ADMIN'],
    to: CANCELLED,
  },
];

/** Actions with a mandatory comment: `REJECT` in every status, `RECALL:300` only from that status. */
export type CommentRequirements = ReadonlySet<string>;

/** Parses `REJECT,CANCEL,RECALL:300`. For an entry that can never apply, throws an Error that says what is allowed. */
export function parseCommentRequirements(list: string): CommentRequirements {
  const entries = list
    .split(',')
    .map((entry) => entry.trim().toUpperCase())
    .filter(Boolean);
  for (const entry of entries) {
    const [action, statusId, ...more] = entry.split(':');
    const possible = TRANSITIONS.some(
      (transition) =>
        more.length === 0 &&
        transition.action === action &&
        (statusId === undefined || transition.from.some((id) => String(id) === statusId)),
    );
    if (!possible) {
      throw new Error(
        `"${entry}" is not an action, or not possible from that status; allowed are ${ACTION_NAMES.join(', ')}, each alone or as ACTION:statusId`,
      );
    }
  }
  return new Set(entries);
}

interface TransitionAttempt {
  statusId: StatusId;
  action: Action;
  role: Role;
  comment: string | null;
  commentRequired: CommentRequirements;
}

/** True if the role can take this action in at least one status. */
export const canEverTransition = (role: Role, action: Action): boolean =>
  TRANSITIONS.some((transition) => transition.action === action && transition.roles.includes(role));

/** The status that the action leads to. Throws TRANSITION_NOT_ALLOWED and COMMENT_REQUIRED. */
export function requireTransition({ statusId, action, role, comment, commentRequired }: TransitionAttempt): StatusId {
  const allowed = TRANSITIONS.find(
    ({ action: of, from, roles }) => of === action && from.includes(statusId) && roles.includes(role),
  );
  if (!allowed) {
    const hidden = { action, currentStatusZh: statusOf(statusId).statusZh };
    throw new ProblemError('TRANSITION_NOT_ALLOWED', conflictMembers(statusId, role), { hidden });
  }
  if (requiresComment(action, statusId, commentRequired) && !comment) {
    throw new ProblemError('COMMENT_REQUIRED', {}, { hidden: { action } });
  }
  return allowed.to;
}

/** Actions that this role can take in this status, in the order of the table; empty for an unknown status. */
export function availableActions(
  statusId: number,
  role: Role,
  commentRequired: CommentRequirements,
): AvailableAction[] {
  if (!isStatusId(statusId)) return [];
  return TRANSITIONS.filter(({ from, roles }) => from.includes(statusId) && roles.includes(role)).map(
    ({ action, to }) => {
      const { status, statusZh } = statusOf(to);
      return {
        action,
        label: ACTIONS[action].label,
        labelZh: ACTIONS[action].labelZh,
        fromStatusId: statusId,
        toStatusId: to,
        toStatus: status,
        toStatusZh: statusZh,
        requiresComment: requiresComment(action, statusId, commentRequired),
        tone: ACTIONS[action].tone,
      };
    },
  );
}

/** Actions that this role can take in at least one status, in the order of ACTION_NAMES. */
export function permissionsOf(role: Role): Action[] {
  return ACTION_NAMES.filter((action) => canEverTransition(role, action));
}

/** Fields that this role may write in this status, named as in requests. */
export function editableFields(statusId: StatusId, role: Role): EditableField[] {
  if (role !== 'VENDOR') return [];
  const { acceptsReplies, acceptsShipment } = statusOf(statusId);
  if (acceptsReplies) return [...HEADER_FIELDS, ...LINE_FIELDS];
  return acceptsShipment ? ['container_number', 'tracking_number'] : [];
}

/** True if the role may write a field in at least one status. */
export const canEverEdit = (role: Role): boolean =>
  STATUS_IDS.some((statusId) => editableFields(statusId, role).length > 0);

/** Throws PO_NOT_EDITABLE, for the whole patch, unless the role may write all these fields in this status. */
export function requireEditable(statusId: StatusId, role: Role, fields: readonly EditableField[]): void {
  const editable = editableFields(statusId, role);
  const locked = fields.filter((field) => !editable.includes(field));
  if (locked.length === 0) return;
  throw new ProblemError(
    'PO_NOT_EDITABLE',
    { fields: locked, ...conflictMembers(statusId, role) },
    { hidden: { currentStatusZh: statusOf(statusId).statusZh } },
  );
}

function conflictMembers(statusId: StatusId, role: Role) {
  return {
    currentStatusId: statusId,
    currentStatus: statusOf(statusId).status,
    allowedActions: availableActions(statusId, role, new Set()).map(({ action }) => action),
  };
}

function requiresComment(action: Action, statusId: StatusId, commentRequired: CommentRequirements): boolean {
  return commentRequired.has(action) || commentRequired.has(`${action}:${statusId}`);
}

/** The workflow as a table for readers: one row per status, action and target, in workflow order. */
export function workflowRows(): { statusId: StatusId; action: Action; roles: readonly Role[]; to: StatusId }[] {
  return STATUSES.flatMap(({ statusId }) =>
    TRANSITIONS.filter(({ from }) => from.includes(statusId)).map(({ action, roles, to }) => ({
      statusId,
      action,
      roles,
      to,
    })),
  );
}
