import { ResponseAdmission } from './response-admission.js';
import { ExportAdmission } from './export-admission.js';
import type { LeasesRedis } from './lease-limiter.js';
import type { AdmissionLimits } from './limits.js';
import { UploadAdmission } from './upload-admission.js';

/** Limits on exports, uploads and large responses of a gateway: each costs far more than the read or write it counts as. */
export class Admission {
  readonly exports: ExportAdmission;
  readonly responses: ResponseAdmission;
  readonly uploads: UploadAdmission;

  constructor(
    redis: LeasesRedis,
    limits: AdmissionLimits,
    /** Counts an export of the user. Throws TOO_MANY_EXPORTS when the user exceeds the exports per minute. */
    countExport: (userId: string) => Promise<void>,
  ) {
    this.exports = new ExportAdmission(redis, limits, countExport);
    this.responses = new ResponseAdmission(limits);
    this.uploads = new UploadAdmission(redis, limits);
  }

  /** Resolves once all gateways can see the released leases, if Redis is available. */
  async close(): Promise<void> {
    await Promise.all([this.exports.settle(), this.uploads.settle()]);
  }
}
