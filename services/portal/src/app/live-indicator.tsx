import { Tooltip } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useLive } from '../api/live/live.js';
import { useTexts } from '../language/language.js';
import { APP } from './texts.js';
import classes from './shell.module.css';

/** Whether changes of others appear by themselves. */
export function LiveIndicator() {
  const { live } = useTexts(APP);
  const { connected } = useLive();
  // A lost connection is told by the browser at once, and by the stream after some seconds.
  const { online } = useNetwork();
  const state = !online ? 'away' : connected === null ? 'wait' : connected ? 'on' : 'off';
  return (
    <Tooltip label={live.note}>
      <span className={classes.live} role="status" aria-label={live[state]} data-testid="live">
        <span className={classes.liveDot} data-live={state} />
        <span className={classes.liveText}>{live[state]}</span>
      </span>
    </Tooltip>
  );
}
