import { describe, expect, it } from '@jest/globals';
import { ACTION_NAMES, type Action, ROLES, type Role, STATUSES, STATUS_IDS, type StatusId } from '@po/contracts';
import {
  TRANSITIONS,
  availableActions,
  editableFields,
  parseCommentRequirements,
  permissionsOf,
  requireEditable,
  workflowRows,
} from './workflow.js';
import { newOrder, outcomeOf } from '../fixtures/orders.js';
import { type OrderCommand, decide } from './commands.js';

const NONE = new Set<string>();

/** The status that a command leads to, or the refusal. */
function decided(statusId: StatusId, role: Role, command: OrderCommand, commentRequired: ReadonlySet<string> = NONE) {
  const now = new Date('2026-11-21T08:00:00.000Z');
  const order = { ...newOrder(), statusId };
  return outcomeOf(() => decide(order, command, { role, commentRequired, staleness: null, now }).after.statusId);
}
const codeOf = (outcome: ReturnType<typeof decided>) => (typeof outcome === 'number' ? outcome : outcome.code);
const rowHash = newOrder().lines[0]?.rowHash ?? '';
const clearing = (field: string): OrderCommand =>
  field.startsWith('vendorReply')
    ? { type: 'updateLines', lines: [{ rowHash, [field]: null }] }
    : { type: 'updateHeader', patch: { [field]: null } };
const transition = (action: Action, comment: string | null = null): OrderCommand => ({
  type: 'transition',
  action,
  comment,
});

/** Written by hand, not derived from the table: V = VENDOR, B = BUYER, A = ADMIN may move the order to that status; VIEWER never may. */
const ALLOWED: Record<Action, Partial<Record<StatusId, [roles: string, to: StatusId]>>> = {
  SUBMIT: { 100: ['V', 200], 150: ['V', 200] },
  APPROVE: { 200: ['BA', 300] },
  REJECT: { 200: ['BA', 150] },
  RECALL: { 200: ['V', 150], 300: ['VBA', 150], 400: ['BA', 150] },
  MOVE_TO_PRODUCTION: { 300: ['VBA', 400] },
  MARK_SHIPPED: { 400: ['VA', 500] },
  CONFIRM_DELIVERY: { 500: ['BA', 600] },
  CANCEL: { 100: ['BA', 900], 150: ['BA', 900], 200: ['BA', 900], 300: ['BA', 900], 400: ['BA', 900] },
};
const LETTER: Record<Role, string> = { VENDOR: 'V', BUYER: 'B', ADMIN: 'A', VIEWER: '-' };

const expected = (
  statusId: StatusId,
  action: Action,
  role: Role,
): StatusId | 'ROLE_NOT_ALLOWED' | 'TRANSITION_NOT_ALLOWED' => {
  const rule = ALLOWED[action][statusId];
  if (rule?.[0].includes(LETTER[role])) return rule[1];
  const ever = Object.values(ALLOWED[action]).some(([roles]) => roles.includes(LETTER[role]));
  return ever ? 'TRANSITION_NOT_ALLOWED' : 'ROLE_NOT_ALLOWED';
};

const matrix = STATUS_IDS.flatMap((statusId) =>
  ACTION_NAMES.flatMap((action) => ROLES.map((role): [StatusId, Action, Role] => [statusId, action, role])),
);

describe('a transition', () => {
  it('is tested for 8 statuses x 8 actions x 4 roles', () => {
    expect(matrix).toHaveLength(256);
  });

  it.each(matrix)('in status %s with action %s by %s has the specified outcome', (statusId, action, role) => {
    expect(codeOf(decided(statusId, role, transition(action)))).toBe(expected(statusId, action, role));
  });

  it('is refused with the current status and the allowed actions', () => {
    expect(decided(200, 'VENDOR', transition('SUBMIT'))).toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
      members: { currentStatusId: 200, currentStatus: 'Pending Approval', allowedActions: ['RECALL'] },
    });
  });

  it('without a mandatory comment is refused, after the status is checked', () => {
    const commentRequired = parseCommentRequirements('reject, RECALL:300');
    const attempt = (statusId: StatusId, action: Action, comment: string | null) =>
      codeOf(decided(statusId, 'BUYER', transition(action, comment), commentRequired));
    expect(attempt(200, 'REJECT', null)).toBe('COMMENT_REQUIRED');
    expect(attempt(200, 'REJECT', 'why')).toBe(150);
    expect(attempt(100, 'REJECT', null)).toBe('TRANSITION_NOT_ALLOWED');
    expect(attempt(300, 'RECALL', null)).toBe('COMMENT_REQUIRED');
    expect(attempt(400, 'RECALL', null)).toBe(150);
  });
});

describe('the graph of transitions', () => {
  /** Without those that no transition touches yet, because older releases cannot show them. */
  const used = STATUSES.filter(({ statusId }) =>
    TRANSITIONS.some(({ from, to }) => to === statusId || from.includes(statusId)),
  );

  it('leads from every status that is not final to a final one, and never out of a final one', () => {
    const next = (from: StatusId) =>
      TRANSITIONS.filter((transition) => transition.from.includes(from)).map(({ to }) => to);
    for (const { statusId, isTerminal } of used) {
      const reached = new Set<StatusId>([statusId]);
      for (const each of reached) for (const to of next(each)) reached.add(to);
      expect(reached.has(600)).toBe(statusId !== 900);
      expect(next(statusId).length === 0).toBe(isTerminal);
    }
  });

  it('reaches every used status from New, and has one target per status, action and role', () => {
    const reached = new Set<StatusId>([100]);
    for (const from of reached)
      for (const { to } of TRANSITIONS.filter((each) => each.from.includes(from))) reached.add(to);
    expect([...reached].toSorted((a, b) => a - b)).toEqual(used.map(({ statusId }) => statusId));
    const keys = TRANSITIONS.flatMap(({ action, from, roles }) =>
      from.flatMap((id) => roles.map((role) => `${action} ${id} ${role}`)),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the workflow', () => {
  it('gives a role the same actions in the lookup, the permissions and the check of commands', () => {
    for (const [statusId, action, role] of matrix) {
      const listed = availableActions(statusId, role, NONE).find((each) => each.action === action);
      const target = expected(statusId, action, role);
      expect(listed?.toStatusId ?? null).toBe(typeof target === 'number' ? target : null);
      const ever = STATUS_IDS.some((id) => typeof expected(id, action, role) === 'number');
      expect(permissionsOf(role).includes(action)).toBe(ever);
    }
    expect(availableActions(123, 'ADMIN', NONE)).toEqual([]);
    expect(workflowRows()).toHaveLength(15);
  });

  it('describes actions with labels, tone and whether a comment is needed', () => {
    expect(availableActions(200, 'BUYER', parseCommentRequirements('REJECT'))).toEqual([
      {
        action: 'APPROVE',
        label: 'Approve',
        labelZh: '批准',
        tone: 'primary',
        requiresComment: false,
        fromStatusId: 200,
        toStatusId: 300,
        toStatus: 'Confirmed',
        toStatusZh: '已确认',
      },
      {
        action: 'REJECT',
        label: 'Reject',
        labelZh: '驳回',
        tone: 'danger',
        requiresComment: true,
        fromStatusId: 200,
        toStatusId: 150,
        toStatus: 'In Revision',
        toStatusZh: '修订中',
      },
      {
        action: 'CANCEL',
        label: 'Cancel',
        labelZh: '取消',
        tone: 'danger',
        requiresComment: false,
        fromStatusId: 200,
        toStatusId: 900,
        toStatus: 'Cancelled',
        toStatusZh: '已取消',
      },
    ]);
  });

  it.each(['NOPE', 'REJECT:300', 'RECALL:abc', 'RECALL:300:400', 'REJECT:200:', 'IMPORT'])(
    'refuses %s as a comment requirement',
    (entry) => {
      expect(() => parseCommentRequirements(entry)).toThrow(/allowed are SUBMIT, APPROVE/);
    },
  );
});

describe('the edit matrix', () => {
  const SHIPPING = ['container_number', 'tracking_number'];
  const ALL = [
    'vendor_reply_xfd',
    'vendor_reply_factory',
    'vendor_reply_comment',
    ...SHIPPING,
    'vendorReplyQty',
    'vendorReplyUnitPrice',
  ];
  const VENDOR: Record<StatusId, string[]> = {
    100: ALL,
    150: ALL,
    200: [],
    300: SHIPPING,
    400: SHIPPING,
    500: SHIPPING,
    600: [],
    900: [],
  };
  const rows = STATUS_IDS.flatMap((statusId) => ROLES.map((role): [StatusId, Role] => [statusId, role]));

  it.each(rows)('in status %s lets %s edit only the specified fields', (statusId, role) => {
    const allowed = role === 'VENDOR' ? VENDOR[statusId] : [];
    expect(editableFields(statusId, role)).toEqual(allowed);
    for (const field of ALL) {
      const code = role !== 'VENDOR' ? 'ROLE_NOT_ALLOWED' : allowed.includes(field) ? statusId : 'PO_NOT_EDITABLE';
      expect(codeOf(decided(statusId, role, clearing(field)))).toBe(code);
    }
  });

  it('refuses a whole patch for one locked field, and names the field', () => {
    expect(outcomeOf(() => requireEditable(300, 'VENDOR', ['container_number', 'vendorReplyQty']))).toMatchObject({
      code: 'PO_NOT_EDITABLE',
      members: {
        fields: ['vendorReplyQty'],
        currentStatusId: 300,
        currentStatus: 'Confirmed',
        allowedActions: ['RECALL', 'MOVE_TO_PRODUCTION'],
      },
    });
  });
});
