import { Button } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useState } from 'react';
import { Since } from '../../elements/since.js';
import { useTexts } from '../../language/language.js';
import type { ChangedField } from './changed-field.js';
import { Compare } from './compare.js';
import { CONFLICT } from './texts.js';
import classes from './conflict.module.css';

/** What others did to an order while somebody types: stays until it is settled, and takes nothing of what was typed. */
export function ConflictNotice(props: {
  who: string;
  /** When they did. */
  at: string;
  fields: readonly ChangedField[];
  /** `takes`: in which of the fields that both changed theirs counts. */
  settle: (takes: (field: string) => boolean) => void;
}) {
  const { who, at, fields, settle } = props;
  const texts = useTexts(CONFLICT);
  const [isComparing, setComparing] = useState(false);
  const both = fields.filter(({ mine }) => mine !== undefined);
  return (
    <section className={classes.notice} aria-label={texts.title}>
      <IconArrowsDiff size={16} aria-hidden className={classes.icon} />
      <p className={classes.text}>
        {/* Without the time, which would be read aloud again whenever it changes. */}
        <span role="alert">
          <b>{texts.changed(who, fields.length)}</b> ·{' '}
          {both.length > 0 ? texts.both(both.map(({ name }) => name).join(', ')) : texts.apart}
        </span>{' '}
        <span className={classes.when}>
          <Since instant={at} />
        </span>
      </p>
      <div className={classes.choices}>
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
