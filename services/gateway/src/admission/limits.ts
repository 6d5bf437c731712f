/** Maximum bytes of any body. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** Limits on exports, uploads and large responses of a gateway. */
export interface AdmissionLimits {
  /** Concurrent exports per user, over all gateways. */
  exportsPerUser: number;
  /** Concurrent exports of all users at this gateway. */
  exportsPerGateway: number;
  /** Time after which a download is aborted. */
  exportDeadlineMs: number;
  /** A client that reads slower than this while data waits for it is disconnected; 0 = no limit. */
  exportMinBytesPerSecond: number;
  /** Window over which the download rate is measured. */
  exportRateWindowMs: number;
  /** Time in which a body that is not an upload must arrive. */
  smallBodyMs: number;
  /** Concurrent uploads per user, over all gateways. */
  uploadsPerUser: number;
  /** A client that sends an upload slower than this is disconnected; 0 = no limit. */
  uploadMinBytesPerSecond: number;
  /** Window over which the upload rate is measured. */
  uploadRateWindowMs: number;
  /** Upload bytes held at the same time, of all users at this gateway. */
  uploadBytesPerGateway: number;
}
