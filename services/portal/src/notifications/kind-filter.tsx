import { useId } from 'react';
import { useTexts } from '../language/language.js';
import { KINDS, type Kind } from './inbox.js';
import { INBOX } from './list-texts.js';
import classes from './bell.module.css';

/** Which kind of notifications is shown; as many rows of them as the width needs. */
export function KindFilter({ kind, choose }: { kind: Kind; choose: (kind: Kind) => void }) {
  const texts = useTexts(INBOX);
  const group = useId();
  return (
    <div role="radiogroup" aria-label={texts.kind} className={classes.kinds}>
      {KINDS.map((one) => (
        <label key={one} className={classes.kind}>
          <input type="radio" name={group} checked={one === kind} onChange={() => choose(one)} />
          <span>{texts.kinds[one]}</span>
        </label>
      ))}
    </div>
  );
}
