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
  type Role,
  type StatusId,
} from '@po/contracts';
import { applyHeaderPatch, applyLinesPatch } from './edits.js';
import { linesOfImport } from './imports/import-lines.js';
import type { Order } from './order.js';
import type { Submission } from './tolerances.js';
import { applyTransition } from './transitions.js';
import { type CommentRequirements, canEverEdit, canEverTransition, checkEdit, checkTransition } from './workflow.js';

/** What a user may do to an order. */
export type OrderCommand =
  | { type: 'updateHeader'; patch: HeaderPatch }
  | { type: 'updateLines'; lines: readonly LinePatch[] }
  | { type: 'importLines'; table: ImportTable }
  | { type: 'transition'; action: Action; comment: string | null };

export interface CommandContext {
  role: Role;
  commentRequired: CommentRequirements;
  /** Why the order is not the one that the caller saw; null when it is, or when they did not say. */
  staleness: ProblemError | null;
  now: Date;
}

/** What the history says of a command; the store adds who and when. */
interface Entry {
  action: Action;
  comment: string | null;
  changes: Changes | null;
  agreed?: Agreement | undefined;
  submission?: Submission | undefined;
}

/** A refusal, or the order after the command (the same object when nothing changes) and its history entry, if it makes one. */
export type Outcome<O extends Order> = { refused: ProblemError } | { before: O; after: Order; entry: Entry | null };

/**
 * The order after a command, or why it is refused. `order` is null when there is none that the caller may see. The order of the checks is
 * part of the interface: visible, role, version, state, values.
 */
export function decide<O extends Order>(order: O | null, command: OrderCommand, context: CommandContext): Outcome<O> {
  if (!order) return { refused: new ProblemError('PO_NOT_FOUND') };
  if (!canEver(context.role, command)) return { refused: new ProblemError('ROLE_NOT_ALLOWED') };
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

/** Whether the role may give this command in some status. */
function canEver(role: Role, command: OrderCommand): boolean {
  switch (command.type) {
    case 'updateHeader':
    case 'updateLines':
    case 'importLines':
      return canEverEdit(role);
    case 'transition':
      return canEverTransition(role, command.action);
    default:
      return command satisfies never;
  }
}

/** Whether the command is allowed in the order's status. */
function authorize(
  { statusId }: Order,
  command: OrderCommand,
  { role, commentRequired }: CommandContext,
): { toStatusId: StatusId } | { refused: ProblemError } {
  switch (command.type) {
    case 'updateHeader':
    case 'updateLines':
    case 'importLines': {
      const refused = checkEdit(statusId, role, fieldsOf(command));
      return refused ? { refused } : { toStatusId: statusId };
    }
    case 'transition': {
      const { action, comment } = command;
      return checkTransition({ statusId, action, role, comment, commentRequired });
    }
    default:
      return command satisfies never;
  }
}

/** Throws what is wrong with a value. */
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
  // A file without either column is wrong, but first of all it is a try to edit lines.
  if (command.type === 'importLines') {
    const there = LINE_FIELDS.filter((field) => command.table.columns[field] !== undefined);
    return there.length > 0 ? there : [...LINE_FIELDS];
  }
  return [
    ...new Set(
      command.lines.flatMap(({ rowHash: _rowHash, ...values }) => Object.keys(values) as (keyof typeof values)[]),
    ),
  ];
}
