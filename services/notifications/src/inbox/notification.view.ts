import { type ActorRole, type AnyAction, type Notification, type ReminderRule, actionLabels } from '@po/contracts';
import type { Entry } from '../store/entry.entity.js';

/** What a notification shows of its entry. */
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

/** What belongs to the one user: `readAt` is null while unread. */
export interface StoredNotification {
  id: string;
  createdAt: Date;
  readAt: Date | null;
}

/** One sentence a language: the entry's own, or made of a history entry. A status that stayed is not written as a step. */
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

// Also an action or a rule of a newer version: clients tolerate what they do not know.
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
