import { unavailable } from '@po/messaging';
import { FileQueue } from './file-queue.js';
import { LeaseLimiter, type LeasesRedis } from './lease-limiter.js';
import { type AdmissionLimits, LARGEST_BODY } from './limits.js';
import { admissionsRefused, uploadBytes, uploadsBroken } from './metrics.js';

/** A body of at most so many bytes is no upload: it is taken whatever uploads are under way. */
export const SMALL_BODY = 64 * 1024;

/** Which bodies are received: so many large ones of a user, and so many bytes of all users together. */
export class UploadAdmission {
  /** Files that were received and are to be read. */
  readonly files = new FileQueue();
  private readonly leases: LeaseLimiter;
  private reserved = 0;

  constructor(
    redis: LeasesRedis,
    private readonly limits: AdmissionLimits,
  ) {
    this.leases = new LeaseLimiter(redis, {
      name: 'rate:open-uploads',
      limit: limits.uploadsPerUser,
      code: 'TOO_MANY_UPLOADS',
      onRefused: () => admissionsRefused.inc({ kind: 'upload', limit: 'user' }),
    });
  }

  /** Milliseconds in which a request must have come: a small body, or the largest one at the least rate. 0 = no limit. */
  get requestMs(): number {
    const { smallBodyMs, uploadMinBytesPerSecond } = this.limits;
    return uploadMinBytesPerSecond === 0 ? 0 : smallBodyMs + Math.ceil((LARGEST_BODY / uploadMinBytesPerSecond) * 1000);
  }

  /** Calls `onLate` when a body was not received in the time of a small one; what is answered ends that. */
  watchSmall(onLate: () => void): () => void {
    const late = setTimeout(onLate, this.limits.smallBodyMs);
    return () => clearTimeout(late);
  }

  /**
   * Admits a body that may have so many bytes; what is answered ends it. They are reserved at once, so that what was admitted is never
   * refused half-way. Throws TOO_MANY_UPLOADS, or UNAVAILABLE while too much of all users is reserved.
   */
  async admit(userId: string, bytes: number): Promise<() => void> {
    if (this.reserved + bytes > this.limits.uploadBytesPerGateway) {
      admissionsRefused.inc({ kind: 'upload', limit: 'gateway' });
      throw unavailable();
    }
    this.reserve(bytes);
    try {
      const giveBack = await this.leases.take(userId);
      return () => {
        giveBack();
        this.reserve(-bytes);
      };
    } catch (error) {
      this.reserve(-bytes);
      throw error;
    }
  }

  /** Calls `onSlow` once when fewer bytes were received in a window than the least rate allows; what is answered ends that. */
  watch(received: () => number, onSlow: () => void): () => void {
    const { uploadMinBytesPerSecond, uploadRateWindowMs } = this.limits;
    const leastBytes = (uploadMinBytesPerSecond * uploadRateWindowMs) / 1000;
    let before = received();
    const looking = setInterval(() => {
      const now = received();
      if (now - before < leastBytes) {
        clearInterval(looking);
        uploadsBroken.inc();
        onSlow();
      }
      before = now;
    }, uploadRateWindowMs);
    return () => clearInterval(looking);
  }

  /** What was given back is known to all gateways before it resolves, if Redis is there. */
  settle(): Promise<void> {
    return this.leases.close();
  }

  private reserve(bytes: number): void {
    this.reserved += bytes;
    uploadBytes.set(this.reserved);
  }
}
