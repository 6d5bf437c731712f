import { unavailable } from '@po/messaging';
import type { ServerResponse } from 'node:http';
import { watchDownload } from './download-watch.js';
import type { AdmissionLimits } from './limits.js';
import { admissionsRefused } from './metrics.js';

/** A response of at most this many bytes is small: how fast the client reads it does not matter. */
export const SMALL_RESPONSE = 64 * 1024;
/** Bytes of unread responses per user. A single larger response, and the responses of writes already in progress, may exceed it. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Limits the unread responses held in memory: bytes per user, and for a large response the deadline and rate of a download. */
export class ResponseAdmission {
  private readonly held = new Map<string, number>();

  constructor(private readonly limits: AdmissionLimits) {}

  /** Throws UNAVAILABLE while the user's unread responses leave no room for another; `bytes` is its size, if known. */
  admit(userId: string, bytes = 1): void {
    const before = this.held.get(userId) ?? 0;
    if (before === 0 || before + bytes <= MAX_BYTES) return;
    admissionsRefused.inc({ kind: 'answer', limit: 'user' });
    throw unavailable(5);
  }

  /** Counts a response until the client has read it or disconnected. */
  hold(userId: string, bytes: number, response: ServerResponse): void {
    if (response.closed) return;
    this.held.set(userId, (this.held.get(userId) ?? 0) + bytes);
    response.once('close', () => {
      const left = (this.held.get(userId) ?? 0) - bytes;
      if (left > 0) this.held.set(userId, left);
      else this.held.delete(userId);
    });
    if (bytes > SMALL_RESPONSE) watchDownload(response, this.limits, () => response.destroy());
  }
}
