import type { AdmissionLimits } from './limits.js';

type DownloadLimits = Pick<AdmissionLimits, 'exportDeadlineMs' | 'exportMinBytesPerSecond' | 'exportRateWindowMs'>;

/** The watched part of a response. */
export interface WatchedResponse {
  /** The client has disconnected or has received everything. */
  readonly closed: boolean;
  /** Data is waiting for the client to read. */
  readonly writableNeedDrain: boolean;
  readonly socket: { readonly bytesWritten: number } | null;
  once: (event: 'close', listener: () => void) => unknown;
}

/** Checks per window. A check that finds no data waiting restarts the window. */
const CHECKS_PER_WINDOW = 10;

/**
 * Calls `onBreach` once when a download exceeds its deadline or the client reads below the minimum rate. A client is slow only while data
 * waits for it: time in which the gateway itself has nothing to send does not count.
 */
export function watchDownload(
  response: WatchedResponse,
  { exportDeadlineMs, exportMinBytesPerSecond, exportRateWindowMs }: DownloadLimits,
  onBreach: (reason: 'deadline' | 'slow') => void,
): void {
  if (response.closed) return;
  const minBytes = (exportMinBytesPerSecond * exportRateWindowMs) / 1000;
  const written = () => response.socket?.bytesWritten ?? 0;
  let [checks, bytesBefore] = [0, written()];
  const checking = setInterval(() => {
    if (!response.writableNeedDrain) [checks, bytesBefore] = [0, written()];
    else if ((checks += 1) === CHECKS_PER_WINDOW) {
      if (written() - bytesBefore < minBytes) breach('slow');
      [checks, bytesBefore] = [0, written()];
    }
  }, exportRateWindowMs / CHECKS_PER_WINDOW);
  const deadline = setTimeout(() => breach('deadline'), exportDeadlineMs);
  const end = () => {
    clearInterval(checking);
    clearTimeout(deadline);
  };
  const breach = (reason: 'deadline' | 'slow') => {
    end();
    onBreach(reason);
  };
  response.once('close', end);
}

const PIECE_BYTES = 16 * 1024;

/** In pieces: within a single write the rate at which the client reads is unknown. */
export function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}
