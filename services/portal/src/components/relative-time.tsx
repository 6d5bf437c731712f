import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { useFormats } from '../language/language.js';

const FIRST_MINUTE_MS = 60_000;

/** The present (epoch milliseconds), as it was at most so long ago. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), everyMs, { autoInvoke: true });
  return now;
}

/** How long ago something was, as time goes by; when it was, where the pointer rests. `instant` is one of the API's. */
export function RelativeTime({ instant }: { instant: string }) {
  const formats = useFormats();
  // What came from the server may be some milliseconds ahead of this clock.
  const now = Math.max(useNow(FIRST_MINUTE_MS / 4), Date.parse(instant));
  return (
    <time dateTime={instant} title={formats.instant(instant)}>
      {formats.since(instant, now)}
    </time>
  );
}
