import { unavailable } from '@po/messaging';
import { FileQueue } from './file-queue.js';
import { LeaseLimiter, type LeasesRedis } from './lease-limiter.js';
import { type AdmissionLimits, MAX_BODY_BYTES } from './limits.js';
import { admissionsRefused, uploadBytes, uploadsBroken } from './metrics.js';

/** A body of at most this many bytes is not an upload: it is accepted regardless of the uploads in progress. */
export const SMALL_BODY = 64 * 1024;

/** Admits request bodies: limits on the concurrent large ones of a user and on the bytes of all users. */
export class UploadAdmission {
  /** Received files that wait to be read. */
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

  /** Milliseconds in which a request must arrive: a small body, or the largest one at the minimum rate. 0 = no limit. */
  get requestMs(): number {
    const { smallBodyMs, uploadMinBytesPerSecond } = this.limits;
    return uploadMinBytesPerSecond === 0
      ? 0
      : smallBodyMs + Math.ceil((MAX_BODY_BYTES / uploadMinBytesPerSecond) * 1000);
  }

  /** Calls `onLate` when a small body does not arrive in time. Returns a function that ends the watch. */
  watchSmall(onLate: () => void): () => void {
    const late = setTimeout(onLate, this.limits.smallBodyMs);
    return () => clearTimeout(late);
  }

  /**
   * Admits a body of up to `bytes`; the returned function releases it. The bytes are reserved in advance, so that an admitted body is never
   * refused half-way. Throws TOO_MANY_UPLOADS, or UNAVAILABLE at the gateway's limit for all users.
   */
  async admit(userId: string, bytes: number): Promise<() => void> {
    if (this.reserved + bytes > this.limits.uploadBytesPerGateway) {
      admissionsRefused.inc({ kind: 'upload', limit: 'gateway' });
      throw unavailable();
    }
    this.reserve(bytes);
    try {
      const releaseLease = await this.leases.take(userId);
      return () => {
        releaseLease();
        this.reserve(-bytes);
      };
    } catch (error) {
      this.reserve(-bytes);
      throw error;
    }
  }

  /** Calls `onSlow` once when a window brings fewer bytes than the minimum rate. Returns a function that ends the watch. */
  watch(received: () => number, onSlow: () => void): () => void {
    const { uploadMinBytesPerSecond, uploadRateWindowMs } = this.limits;
    const minBytes = (uploadMinBytesPerSecond * uploadRateWindowMs) / 1000;
    let before = received();
    const checking = setInterval(() => {
      const now = received();
      if (now - before < minBytes) {
        clearInterval(checking);
        uploadsBroken.inc();
        onSlow();
      }
      before = now;
    }, uploadRateWindowMs);
    return () => clearInterval(checking);
  }

  /** Resolves once all gateways can see the released leases, if Redis is available. */
  settle(): Promise<void> {
    return this.leases.close();
  }

  private reserve(bytes: number): void {
    this.reserved += bytes;
    uploadBytes.set(this.reserved);
  }
}
