import { Skeleton } from '@mantine/core';
import { useTexts } from '../language/language.js';
import { STATES } from '../states/texts.js';
import classes from './bars.module.css';

/** As `Bars` of so many. */
export function BarsSkeleton({ bars }: { bars: number }) {
  const texts = useTexts(STATES);
  return (
    <div className={classes.bars} role="status" aria-label={texts.loading} aria-busy>
      {Array.from({ length: bars }, (_, bar) => (
        <div key={bar} className={classes.bar}>
          <span className={classes.name}>
            <Skeleton height={8} width={88} my={6} />
          </span>
          <span className={classes.track} />
          <span className={classes.value} />
        </div>
      ))}
    </div>
  );
}
