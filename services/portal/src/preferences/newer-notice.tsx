import { Button } from '@mantine/core';
import { useTexts } from '../language/language.js';
import { LANGUAGES } from '../language/languages.js';
import type { Merge } from '../order/conflict/three-way-merge.js';
import { MAIL_MODES, type Choice } from './choices.js';
import { PREFERENCES } from './texts.js';
import classes from './preferences.module.css';

/** What was changed in another place while one chose here, and whose choices are to stay where they differ. */
export function NewerNotice({ newer, settle }: { newer: Merge<string>; settle: (takesTheirs: boolean) => void }) {
  const texts = useTexts(PREFERENCES);
  const nameOf = (value = ''): string => {
    const mode = MAIL_MODES.find((one) => one === value);
    return mode ? texts.modes[mode] : (LANGUAGES.find(([language]) => language === value)?.[1] ?? value);
  };
  return (
    <section className={classes.newer} role="alert" aria-label={texts.newer.title}>
      <b>{texts.newer.title}</b>
      <ul>
        {newer.changes.map(({ field, to }) => (
          <li key={field}>{texts.newer.value(texts.names[field as Choice], nameOf(to))}</li>
        ))}
      </ul>
      {newer.conflicts.length > 0 && (
        <div className={classes.foot}>
          <Button size="sm" variant="default" onClick={() => settle(false)}>
            {texts.newer.mine}
          </Button>
          <Button size="sm" variant="default" onClick={() => settle(true)}>
            {texts.newer.theirs}
          </Button>
        </div>
      )}
    </section>
  );
}
