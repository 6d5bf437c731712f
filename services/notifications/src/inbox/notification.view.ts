import { type ActorRole, type AnyAction, type Notification, actionLabels } from '@po/contracts';
import type { TransitionCopy } from '../store/transition.entity.js';

/** What a notification shows of its transition. */
export type NotificationContent = Pick<
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
export interface StoredNotification {
  id: string;
  createdAt: Date;
  readAt: Date | null;
}

/** One sentence a language. A status that stayed is not written as a step. */
export function titlesOf(content: NotificationContent): { title: string; titleZh: string } {
  const { poNumber, action, fromStatusId, toStatusId, toStatus, toStatusZh, actorName } = content;
  const { label, labelZh } = actionLabels(action);
  const stayed = fromStatusId === toStatusId;
  return {
    title: `${poNumber}: ${label}${stayed ? ` (still ${toStatus})` : ` → ${toStatus}`}${actorName ? ` by ${actorName}` : ''}`,
    titleZh: `${poNumber}：${actorName ? `${actorName} ` : ''}${labelZh}${stayed ? `（仍为${toStatusZh}）` : ` → ${toStatusZh}`}`,
  };
}

/** The only mapper from a stored notification to the published shape. */
export function notificationView(
  content: NotificationContent,
  { id, createdAt, readAt }: StoredNotification,
): Notification {
  return {
    id,
    read: readAt !== null,
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    kind: 'TRANSITION',
    historyId: content.historyId,
    messageId: null,
    reminder: null,
    poRef: content.poRef,
    poNumber: content.poNumber,
    vendor: content.vendor,
    // Also one of a newer version: clients tolerate what they do not know.
    action: content.action as AnyAction,
    fromStatusId: content.fromStatusId,
    toStatusId: content.toStatusId,
    toStatus: content.toStatus,
    toStatusZh: content.toStatusZh,
    statusColor: content.statusColor,
    comment: content.comment,
    actorName: content.actorName,
    actorRole: content.actorRole as ActorRole,
    ...titlesOf(content),
  };
}
