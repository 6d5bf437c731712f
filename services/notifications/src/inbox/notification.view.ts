import { type ActorRole, type AnyAction, type Notification, type ReminderRule, actionLabels } from '@po/contracts';
import type { Entry } from '../store/entry.entity.js';

/** Fields of an entry that its notification shows. */
export type NotificationContent = Pick<
  Entry,
  | 'entryId'
  | 'kind'
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
  | 'dueOn'
  | 'step'
  | 'title'
  | 'titleZh'
>;

/** Fields of a single user's notification. `readAt` is null while unread. */
export interface StoredNotification {
  id: string;
  createdAt: Date;
  readAt: Date | null;
}

/** One sentence per language: the entry's own title, or one composed from a history entry. An unchanged status is not shown as a step. */
export function titlesOf(content: NotificationContent): Pick<Notification, 'title' | 'titleZh'> {
  if (content.title !== null && content.titleZh !== null) return { title: content.title, titleZh: content.titleZh };
  const { poNumber, action, fromStatusId, toStatusId, toStatus, toStatusZh, actorName } = content;
  const { label, labelZh } = actionLabels(action);
  const stayed = fromStatusId === toStatusId;
  return {
    title: `${poNumber}: ${label}${stayed ? ` (still ${toStatus})` : ` → ${toStatus}`}${actorName ? ` by ${actorName}` : ''}`,
    titleZh: `${poNumber}：${actorName ? `${actorName} ` : ''}${labelZh}${stayed ? `（仍为${toStatusZh}）` : ` → ${toStatusZh}`}`,
  };
}

type Source = Pick<Notification, 'kind' | 'historyId' | 'messageId' | 'reminder' | 'action' | 'fromStatusId'>;

// May contain an action or rule of a newer version: clients tolerate unknown values.
function sourceOf({ kind, entryId, action, fromStatusId, dueOn, step }: NotificationContent): Source {
  const isTransition = kind === 'TRANSITION';
  return {
    kind,
    historyId: isTransition ? entryId : null,
    messageId: kind === 'MESSAGE' ? entryId : null,
    reminder:
      dueOn === null || step === null
        ? null
        : {
            rule: action as ReminderRule,
            dueOn,
            step,
          },
    action: isTransition ? (action as AnyAction) : null,
    fromStatusId: isTransition ? fromStatusId : null,
  };
}

/** The only mapping from a stored notification to its published shape. */
export function notificationView(
  content: NotificationContent,
  { id, createdAt, readAt }: StoredNotification,
): Notification {
  return {
    id,
    read: readAt !== null,
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    ...sourceOf(content),
    poRef: content.poRef,
    poNumber: content.poNumber,
    vendor: content.vendor,
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
