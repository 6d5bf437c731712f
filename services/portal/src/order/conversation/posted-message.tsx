import { IconLock, IconMessage } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMe } from '../../api/api.js';
import type { Message } from '../../api/schemas.js';
import { messageAnchorOf } from '../../components/order/history-anchor.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useTexts } from '../../language/language.js';
import styles from '../../theme/text.module.css';
import timeline from '../timeline/timeline.module.css';
import { CellsChip } from './cells-chip.js';
import { partsOf } from './mentions.js';
import { CONVERSATION } from './texts.js';
import classes from './conversation.module.css';

/** A message with its author, time, visibility and cells. `isLinkTarget`: a link in an e-mail or notification led here. */
export function PostedMessage(props: { message: Message; isLinkTarget: boolean; children?: ReactNode }) {
  const { message, isLinkTarget, children } = props;
  const texts = useTexts(CONVERSATION);
  const { instant } = useFormats();
  const isInternal = message.visibility === 'internal';
  return (
    <li
      id={messageAnchorOf(message.id)}
      tabIndex={-1}
      className={timeline.entry}
      data-link-target={isLinkTarget || undefined}
      data-internal={isInternal || undefined}
    >
      <span aria-hidden className={classes.mark}>
        {isInternal ? <IconLock size={14} aria-hidden /> : <IconMessage size={14} aria-hidden />}
      </span>
      <p className={timeline.what}>
        <b>{message.authorName ?? message.authorId}</b>
        {message.authorRole === 'VENDOR' && <span className={styles.quietSmall}>{texts.vendorSide}</span>}
        <span className={styles.quiet}>{texts.wrote}</span>
      </p>
      <p className={styles.quietSmall}>
        <RelativeTime instant={message.createdAt} />
        <span className={timeline.when}>{instant(message.createdAt)}</span>
      </p>
      <div className={classes.body} data-internal={isInternal || undefined}>
        {isInternal && <InternalNote />}
        <Body message={message} />
        <CellsChip rows={message.rows} />
      </div>
      {children}
    </li>
  );
}

/** Icon and text that say who can see an internal message. */
export function InternalNote() {
  const texts = useTexts(CONVERSATION);
  return (
    <span className={classes.internalNote}>
      <IconLock size={14} aria-hidden />
      {texts.internal}
    </span>
  );
}

function Body({ message: { body, mentions } }: { message: Message }) {
  const me = useMe();
  return (
    <p className={classes.text}>
      {partsOf(body, mentions).map(({ at, text, mention }) =>
        mention === null ? (
          text
        ) : (
          <b key={at} className={classes.mention} data-me={mention.userId === me?.userId || undefined}>
            {text}
          </b>
        ),
      )}
    </p>
  );
}
