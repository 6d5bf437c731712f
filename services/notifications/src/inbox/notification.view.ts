import { type ActorRole, type AnyAction, type Notification, actionLabels } from '@po/contracts';
import type { TransitionCopy } from '../store/transition.entity.js';

/** What a notification shows of the transition it tells of. */
export type Told = Pick<
  TransitionCopy,
  | 'historyId'
  | 'poRef'
  | 'poNumber'
  | 'vendor'
  | 'action'
  | 'fromStatusId'
  | 'toStatusId'
  | 'toStatus'
  | 'toStatusZh'
  | 'statusColor'
  | 'comment'
  | 'actorName'
  | 'actorRole'
>;

/** What belongs to the one user: `readAt` is null while unread. */
export interface Delivered {
  id: string;
  createdAt: Date;
  readAt: Date | null;
}

/** One sentence a language. A status that stayed is not written as a step. */
export function titlesOf(told: Told): { title: string; titleZh: string } {
  const { poNumber, action, fromStatusId, toStatusId, toStatus, toStatusZh, actorName } = told;
  const { label, labelZh } = actionLabels(action);
  const stayed = fromStatusId === toStatusId;
  return {
    title: `${poNumber}: ${label}${stayed ? ` (still ${toStatus})` : ` → ${toStatus}`}${actorName ? ` by ${actorName}` : ''}`,
    titleZh: `${poNumber}：${actorName ? `${actorName} ` : ''}${labelZh}${stayed ? `（仍为${toStatusZh}）` : ` → ${toStatusZh}`}`,
  };
}

/** The only mapper from a stored notification to the published shape. */
export function notificationView(told: Told, { id, createdAt, readAt }: Delivered): Notification {
  return {
    id,
    read: readAt !== null,
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    historyId: told.historyId,
    poRef: told.poRef,
    poNumber: told.poNumber,
    vendor: told.vendor,
    // Also one of a newer version: clients tolerate what they do not know.
    action: told.action as AnyAction,
    fromStatusId: told.fromStatusId,
    toStatusId: told.toStatusId,
    toStatus: told.toStatus,
    toStatusZh: told.toStatusZh,
    statusColor: told.statusColor,
    comment: told.comment,
    actorName: told.actorName,
    actorRole: told.actorRole as ActorRole,
    ...titlesOf(told),
  };
}
