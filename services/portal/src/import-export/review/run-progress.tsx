import { Button, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useNow } from '../../components/relative-time.js';
import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import type { Progress as RunState } from '../run/use-import.js';
import styles from '../../theme/text.module.css';
import classes from './import.module.css';

export function RunProgress(props: { progress: RunState; isApplying: boolean; stop: () => void }) {
  const { progress, isApplying, stop } = props;
  const { done, all, waitUntil } = progress;
  const texts = useTexts(IMPORT);
  const { quantity } = useFormats();
  const label = (isApplying ? texts.applying : texts.checking)(quantity(done), quantity(all));
  return (
    <div className={classes.progress}>
      <div className={classes.progressText}>
        <span role="status">{label}</span>
        {/* Outside the status: screen readers would read it again each second. */}
        {waitUntil !== null && <Rest until={waitUntil} />}
      </div>
      <Progress value={all === 0 ? 0 : (done / all) * 100} size={4} aria-label={label} />
      <Button size="sm" variant="default" onClick={stop} title={isApplying ? texts.stopHint : undefined}>
        {texts.stop}
      </Button>
    </div>
  );
}

function Rest({ until }: { until: number }) {
  const texts = useTexts(IMPORT);
  const now = useNow(1000);
  return <span className={styles.warning}>{texts.rateLimited(Math.max(0, Math.ceil((until - now) / 1000)))}</span>;
}
