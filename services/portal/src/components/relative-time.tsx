import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useFormats } from '../language/language.js';

const FIRST_MINUTE_MS = 60_000;

/** The current time (epoch milliseconds), updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), everyMs, { autoInvoke: true });
  return now;
}

/** Time since an instant of the API, kept up to date; the tooltip shows the exact time. */
export function RelativeTime({ instant }: { instant: string }) {
  const formats = useFormats();
  // Server times may be some milliseconds ahead of this clock.
  const now = Math.max(useNow(FIRST_MINUTE_MS / 4), Date.parse(instant));
  return (
    <time dateTime={instant} title={formats.instant(instant)}>
      {formats.since(instant, now)}
    </time>
  );
}
