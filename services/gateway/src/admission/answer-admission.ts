import { unavailable } from '@po/messaging';
import type { ServerResponse } from 'node:http';
import { watchDownload } from './download-watch.js';
import type { AdmissionLimits } from './limits.js';
import { admissionsRefused } from './metrics.js';

/** An answer of at most so many bytes is small: how fast it is taken is no matter. */
export const SMALL_ANSWER = 64 * 1024;
/** Bytes of answers that a user may leave untaken at a time; more by a single larger answer, and by those of writes that were under way. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Which answers are held for clients that have not taken them: so many bytes of a user, and no large one more slowly than a download. */
export class AnswerAdmission {
  private readonly held = new Map<string, number>();

  constructor(private readonly limits: AdmissionLimits) {}

  /** Throws UNAVAILABLE while the user leaves too much untaken for one more answer, of so many bytes if that is known. */
  admit(userId: string, bytes = 1): void {
    const before = this.held.get(userId) ?? 0;
    if (before === 0 || before + bytes <= MAX_BYTES) return;
    admissionsRefused.inc({ kind: 'answer', limit: 'user' });
    throw unavailable(5);
  }

  /** Counts an answer until its client has it or leaves. */
  hold(userId: string, bytes: number, response: ServerResponse): void {
    if (response.closed) return;
    this.held.set(userId, (this.held.get(userId) ?? 0) + bytes);
    response.once('close', () => {
      const left = (this.held.get(userId) ?? 0) - bytes;
      if (left > 0) this.held.set(userId, left);
      else this.held.delete(userId);
    });
    if (bytes > SMALL_ANSWER) watchDownload(response, this.limits, () => response.destroy());
  }
}
