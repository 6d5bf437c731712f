import { ActionIcon, Tooltip } from '@mantine/core';
import { IconAlarm, IconCheck, IconMessage } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { automaticApprovalOf } from '../approvals/automatic-approval.js';
import { useApprovalWords } from '../approvals/approved-by.js';
import { RelativeTime } from '../components/relative-time.js';
import { useFormats, useLanguage, useTexts } from '../language/language.js';
import type { Notification } from '../api/schemas.js';
import { anchorOfItem, isMessage, isReminder } from './inbox.js';
import { INBOX } from './list-texts.js';
import styles from '../theme/text.module.css';
import classes from './bell.module.css';

/** A notification. Opening its link marks it as read. */
export function BellItem(props: { item: Notification; markRead: () => void; close: () => void }) {
  const { item, markRead, close } = props;
  const texts = useTexts(INBOX);
  const formats = useFormats();
  const { localized } = useLanguage();
  const link = useRef<HTMLAnchorElement>(null);
  const anchor = anchorOfItem(item);
  const { by } = useApprovalWords();
  const approval = automaticApprovalOf(item);
  const comment = approval ? by(approval) : item.comment;
  const title = localized(item.title, item.titleZh);
  return (
    <li className={classes.item} data-unread={!item.read || undefined}>
      <Link
        ref={link}
        to="/orders/$poRef"
        params={{ poRef: item.poRef }}
        {...(anchor !== null && { hash: anchor })}
        className={classes.link}
        onClick={() => {
          if (!item.read) markRead();
          close();
        }}
      >
        <span className={classes.what}>
          {!item.read && <span data-dot className={classes.dot} role="img" aria-label={texts.isUnread} />}
          {isReminder(item) && (
            <IconAlarm size={16} className={styles.warning} role="img" aria-label={texts.reminder} />
          )}
          {isMessage(item) && <IconMessage size={16} className={styles.accent} role="img" aria-label={texts.message} />}
          {title}
        </span>
        {comment !== null && <span className={classes.comment}>{comment}</span>}
        <span className={classes.about}>
          {item.reminder && `${texts.dueOn(formats.date(item.reminder.dueOn))} · `}
          {item.vendor} · <RelativeTime instant={item.createdAt} />
        </span>
      </Link>
      {!item.read && (
        <Tooltip label={texts.read(title)}>
          <ActionIcon
            size="xs"
            className={classes.mark}
            aria-label={texts.read(title)}
            onClick={() => {
              // This button disappears, so the focus moves to the link to stay in the list.
              link.current?.focus();
              markRead();
            }}
          >
            <IconCheck size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}
