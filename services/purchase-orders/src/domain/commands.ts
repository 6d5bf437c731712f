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
import { type CommentRequirements, canEverEdit, canEverTransition, checkEdit, checkTransition } from './workflow.js';

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

/** A refusal, or the order after the command (the same object if nothing changed) and its history entry, if any. */
export type Outcome<O extends Order> = { refused: ProblemError } | { before: O; after: Order; entry: Entry | null };

/**
 * Returns the order after a command, or the refusal. `order` is null if it does not exist or the caller may not see it. The sequence of
 * the checks is part of the interface: visibility, role, version, status, values.
 */
export function decide<O extends Order>(order: O | null, command: OrderCommand, context: CommandContext): Outcome<O> {
  if (!order) return { refused: new ProblemError('PO_NOT_FOUND') };
  if (!canEver(context.role, command)) {
    const roles = ROLES.filter((role) => canEver(role, command));
    return { refused: new ProblemError('ROLE_NOT_ALLOWED', {}, { hidden: { roles } }) };
  }
  if (context.staleness) return { refused: context.staleness };
  const authorized = authorize(order, command, context);
  if ('refused' in authorized) return authorized;
  try {
    return { before: order, ...apply(order, command, authorized.toStatusId, context.now) };
  } catch (error) {
    if (error instanceof ProblemError) return { refused: error };
    throw error;
  }
}

/** Whether the role may give this command in at least one status. */
const canEver = (role: Role, command: OrderCommand): boolean =>
  command.type === 'transition' ? canEverTransition(role, command.action) : canEverEdit(role);

/** The status after the command, or a refusal if the order's status does not allow it. */
function authorize(
  { statusId }: Order,
  command: OrderCommand,
  { role, commentRequired }: CommandContext,
): { toStatusId: StatusId } | { refused: ProblemError } {
  if (command.type === 'transition') {
    const { action, comment } = command;
    return checkTransition({ statusId, action, role, comment, commentRequired });
  }
  const refused = checkEdit(statusId, role, fieldsOf(command));
  return refused ? { refused } : { toStatusId: statusId };
}

/** Throws ProblemError for an invalid value. */
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
