import { unavailable } from '@po/messaging';
import type { ServerResponse } from 'node:http';
import { watchDownload } from './download-watch.js';
import type { AdmissionLimits } from './limits.js';
import { admissionsRefused } from './metrics.js';

/** An answer of at most so many bytes is small: how fast it is taken is no matter. */
export const SMALL_ANSWER = 64 * 1024;
/** Bytes of answers that a user may leave untaken at a time; a single answer may be larger. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Which answers are held for clients that have not taken them: so many bytes of a user, and no large one more slowly than a download. */
export class AnswerAdmission {
  private readonly held = new Map<string, number>();

  constructor(private readonly limits: AdmissionLimits) {}

  /** Counts an answer until its client has it or leaves. Throws UNAVAILABLE while the user leaves too much untaken. */
  hold(userId: string, bytes: number, response: ServerResponse): void {
    const before = this.held.get(userId) ?? 0;
    if (before > 0 && before + bytes > MOST_BYTES) {
      admissionsRefused.inc({ kind: 'answer', limit: 'user' });
      throw unavailable(5);
    }
    if (response.closed) return;
    this.held.set(userId, before + bytes);
    response.once('close', () => {
      const left = (this.held.get(userId) ?? 0) - bytes;
      if (left > 0) this.held.set(userId, left);
      else this.held.delete(userId);
    });
    if (bytes > SMALL_ANSWER) watchDownload(response, this.limits, () => response.destroy());
  }
}
