import {
  type Action,
  type Agreement,
  type Changes,
  type EditableField,
  type HeaderPatch,
  type ImportTable,
  LINE_FIELDS,
  type LinePatch,
  ProblemError,
  ROLES,
  type Role,
  type StatusId,
} from '@po/contracts';
import { applyHeaderPatch, applyLinesPatch } from './edits.js';
import { linesOfImport } from './imports/import-lines.js';
import type { Order } from './order.js';
import type { Deviation } from './tolerances.js';
import { applyTransition } from './transitions.js';
import {
  type CommentRequirements,
  canEverEdit,
  canEverTransition,
  requireEditable,
  requireTransition,
} from './workflow.js';

/** A user's command on an order. */
export type OrderCommand =
  | { type: 'updateHeader'; patch: HeaderPatch }
  | { type: 'updateLines'; lines: readonly LinePatch[] }
  | { type: 'importLines'; table: ImportTable }
  | { type: 'transition'; action: Action; comment: string | null };

/** Who gives a command, when, and what the domain rules need besides the order. `now` is the time of the change. */
export interface CommandContext {
  role: Role;
  commentRequired: CommentRequirements;
  /** Refusal if the order is not at the version that the caller saw; null if it is, or if the caller named no version. */
  staleness: ProblemError | null;
  now: Date;
}

/** History entry of a command; the store adds actor and time. */
interface Entry {
  action: Action;
  comment: string | null;
  changes: Changes | null;
  agreed?: Agreement | undefined;
  deviation?: Deviation | undefined;
}

/** The order before and after a command (the same object if nothing changed), and its history entry, if any. */
export interface Decision<O extends Order> {
  before: O;
  after: Order;
  entry: Entry | null;
}

/**
 * Applies a command. `order` is null if it does not exist or the caller may not see it. Throws the refusal, a ProblemError; the sequence
 * of the checks is part of the interface: visibility, role, version, status, values.
 */
export function decide<O extends Order>(order: O | null, command: OrderCommand, context: CommandContext): Decision<O> {
  if (!order) throw new ProblemError('PO_NOT_FOUND');
  requireRole(context.role, command);
  if (context.staleness) throw context.staleness;
  const toStatusId = requireStatus(order, command, context);
  return { before: order, ...apply(order, command, toStatusId, context.now) };
}

function requireRole(role: Role, command: OrderCommand): void {
  if (canEver(role, command)) return;
  const roles = ROLES.filter((other) => canEver(other, command));
  throw new ProblemError('ROLE_NOT_ALLOWED', {}, { hidden: { roles } });
}

/** Whether the role may give this command in at least one status. */
const canEver = (role: Role, command: OrderCommand): boolean =>
  command.type === 'transition' ? canEverTransition(role, command.action) : canEverEdit(role);

/** The status after the command. */
function requireStatus({ statusId }: Order, command: OrderCommand, context: CommandContext): StatusId {
  if (command.type === 'transition') return requireTransition({ statusId, ...command, ...context });
  requireEditable(statusId, context.role, fieldsOf(command));
  return statusId;
}

function apply(
  order: Order,
  command: OrderCommand,
  toStatusId: StatusId,
  now: Date,
): { after: Order; entry: Entry | null } {
  switch (command.type) {
    case 'updateHeader':
      return { after: applyHeaderPatch(order, command.patch), entry: null };
    case 'updateLines':
      return { after: applyLinesPatch(order, command.lines), entry: null };
    case 'importLines':
      return { after: applyLinesPatch(order, linesOfImport(order, command.table)), entry: null };
    case 'transition': {
      const { action, comment } = command;
      const { order: after, ...applied } = applyTransition(order, { action, toStatusId, now });
      return { after, entry: { action, comment, ...applied } };
    }
    default:
      return command satisfies never;
  }
}

function fieldsOf(command: Exclude<OrderCommand, { type: 'transition' }>): EditableField[] {
  if (command.type === 'updateHeader') return Object.keys(command.patch) as EditableField[];
  // A file without a reply column is invalid, but the status check comes first and treats it as an edit of all line fields.
  if (command.type === 'importLines') {
    const present = LINE_FIELDS.filter((field) => command.table.columns[field] !== undefined);
    return present.length > 0 ? present : [...LINE_FIELDS];
  }
  return [
    ...new Set(
      command.lines.flatMap(({ rowHash: _rowHash, ...values }) => Object.keys(values) as (keyof typeof values)[]),
    ),
  ];
}
