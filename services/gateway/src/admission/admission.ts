import type { Logger } from '@po/platform';
import { AnswerAdmission } from './answer-admission.js';
import { ExportAdmission } from './export-admission.js';
import { type LeasesRedis, connectLeases } from './lease-limiter.js';
import type { AdmissionLimits } from './limits.js';
import { UploadAdmission } from './upload-admission.js';

/** What exports, uploads and large answers may take of a gateway: each costs far more than the read or write that it counts as. */
export class Admission {
  readonly exports: ExportAdmission;
  readonly answers: AnswerAdmission;
  readonly uploads: UploadAdmission;
  private readonly redis: LeasesRedis;

  constructor(
    redisUrl: string,
    limits: AdmissionLimits,
    /** Counts an export of a user. Throws TOO_MANY_EXPORTS for one too many a minute. */
    countExport: (userId: string) => Promise<void>,
    logger: Logger,
  ) {
    this.redis = connectLeases(redisUrl, logger);
    this.exports = new ExportAdmission(this.redis, limits, countExport);
    this.answers = new AnswerAdmission(limits);
    this.uploads = new UploadAdmission(this.redis, limits);
  }

  /** What was given back is known to all gateways before it resolves, if Redis is there. */
  async close(): Promise<void> {
    await Promise.all([this.exports.settle(), this.uploads.settle()]);
    this.redis.disconnect();
  }
}
