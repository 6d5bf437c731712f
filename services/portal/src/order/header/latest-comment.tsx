import { IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi, useMe } from '../../api/api.js';
import { anchorOf } from '../../components/order/history-anchor.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useLanguage, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { latestComment } from '../timeline/entries.js';
import { ORDER_HEADER } from './texts.js';
import classes from './header.module.css';

/** Comment on the last status change, shown at the top for the users who must act next. */
export function LatestComment({ poRef }: { poRef: string }) {
  const { queries } = useApi();
  const texts = useTexts(ORDER_HEADER);
  const terms = useTexts(TERMS);
  const { localized } = useLanguage();
  const me = useMe();
  const { data: history = [] } = useQuery(queries.history(poRef));
  const entry = me && latestComment(history, me.role);
  if (!entry) return null;
  return (
    <section className={classes.word} aria-label={texts.latestComment}>
      <IconMessage size={16} aria-hidden />
      <p>
        <span className={classes.comment}>{entry.comment}</span>
        <Link from="/orders/$poRef" to="." replace state hash={anchorOf(entry.id)} className={classes.by}>
          {entry.actorName ?? entry.actorId ?? terms.inventorySystem} ·{' '}
          {localized(entry.actionLabel, entry.actionLabelZh)} · <RelativeTime instant={entry.occurredAt} />
        </Link>
      </p>
    </section>
  );
}
