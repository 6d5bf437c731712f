import type { AdmissionLimits } from './limits.js';

type DownloadLimits = Pick<AdmissionLimits, 'exportDeadlineMs' | 'exportMinBytesPerSecond' | 'exportRateWindowMs'>;

/** As much of a response as is watched. */
export interface WatchedResponse {
  /** Its client has left, or has all of it. */
  readonly closed: boolean;
  /** More waits for the client than it has taken. */
  readonly writableNeedDrain: boolean;
  readonly socket: { readonly bytesWritten: number } | null;
  once: (event: 'close', listener: () => void) => unknown;
}

/** Parts of a window after which it is looked whether the client has taken all. */
const LOOKS = 10;

/**
 * Calls `onBreach` once when a download takes longer than its deadline, or its client takes less than the least rate. Only a client for
 * which data waits is slow: time in which the gateway itself has nothing to send does not count.
 */
export function watchDownload(
  response: WatchedResponse,
  { exportDeadlineMs, exportMinBytesPerSecond, exportRateWindowMs }: DownloadLimits,
  onBreach: (reason: 'deadline' | 'slow') => void,
): void {
  if (response.closed) return;
  const leastBytes = (exportMinBytesPerSecond * exportRateWindowMs) / 1000;
  const written = () => response.socket?.bytesWritten ?? 0;
  let [looks, bytesBefore] = [0, written()];
  const looking = setInterval(() => {
    if (!response.writableNeedDrain) [looks, bytesBefore] = [0, written()];
    else if ((looks += 1) === LOOKS) {
      if (written() - bytesBefore < leastBytes) breach('slow');
      [looks, bytesBefore] = [0, written()];
    }
  }, exportRateWindowMs / LOOKS);
  const deadline = setTimeout(() => breach('deadline'), exportDeadlineMs);
  const end = () => {
    clearInterval(looking);
    clearTimeout(deadline);
  };
  const breach = (reason: 'deadline' | 'slow') => {
    end();
    onBreach(reason);
  };
  response.once('close', end);
}
