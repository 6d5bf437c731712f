import { Button } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useState } from 'react';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useTexts } from '../../language/language.js';
import { type ChangedField, Compare } from './compare.js';
import { CONFLICT } from './texts.js';
import layout from '../../theme/layout.module.css';
import styles from '../../theme/text.module.css';
import classes from './conflict.module.css';

/** Fields listed by name; further ones are only counted. */
const MAX_NAMES = 3;
const NOTICE = 'meanwhile';

/** Focuses the notice, where the user resolves conflicts. */
export function focusNotice(): void {
  document.getElementById(NOTICE)?.focus();
}

/** Changes by others to an order with unsaved edits. The notice stays until the user settles it, and discards no edit by itself. */
export function ConflictNotice(props: {
  who: string;
  /** Time of the change. */
  at: string;
  /** The change locked some typed values, which are marked as locked where they are shown. */
  locks: boolean;
  fields: readonly ChangedField[];
  /** `takes` tells whether others' value wins in a field that both sides changed. */
  settle: (takes: (field: string) => boolean) => void;
}) {
  const { who, at, locks, fields, settle } = props;
  const texts = useTexts(CONFLICT);
  const { list } = useFormats();
  const [isComparing, setComparing] = useState(false);
  const both = fields.filter(({ mine }) => mine !== undefined);
  const removedCount = both.filter(({ isGone }) => isGone === true).length;
  const cells = fields.filter(({ isCell }) => isCell === true).length;
  const what = [fields.length > cells && texts.fields(fields.length - cells), cells > 0 && texts.cells(cells)];
  const names = both.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = both.length - names.length;
  const effect =
    both.length > 0 ? texts.both(list([...names, ...(more > 0 ? [texts.more(more)] : [])])) : !locks && texts.apart;
  return (
    <section id={NOTICE} tabIndex={-1} className={classes.notice} aria-label={texts.title}>
      <IconArrowsDiff size={16} aria-hidden className={classes.icon} />
      <p className={classes.text}>
        {/* The time is outside the alert: screen readers would announce each update of it. */}
        <span role="alert">
          <b>{texts.changed(who, what.filter((part) => part !== false).join(texts.and))}</b>
          {effect !== false && <> · {effect}</>}
          {removedCount > 0 && ` ${texts.gone(removedCount)}`}
        </span>{' '}
        <span className={styles.quiet}>
          <RelativeTime instant={at} />
        </span>
      </p>
      <div className={layout.row}>
        {both.length > 0 ? (
          <>
            <Button size="sm" onClick={() => settle(() => false)}>
              {texts.keep}
            </Button>
            <Button size="sm" variant="default" onClick={() => settle(() => true)}>
              {texts.take}
            </Button>
          </>
        ) : (
          <Button size="sm" onClick={() => settle(() => false)}>
            {texts.understood}
          </Button>
        )}
        <Button size="sm" variant="default" onClick={() => setComparing(true)}>
          {texts.compare}
        </Button>
      </div>
      {isComparing && <Compare fields={fields} settle={settle} close={() => setComparing(false)} />}
    </section>
  );
}
