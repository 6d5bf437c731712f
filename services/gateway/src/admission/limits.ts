/** Bytes: no body is larger. */
export const LARGEST_BODY = 5 * 1024 * 1024;

/** How much of a gateway exports, uploads and large answers may take. */
export interface AdmissionLimits {
  /** Open at a time of a user, over all gateways. */
  exportsPerUser: number;
  /** Open at a time of all users together at this gateway. */
  exportsPerGateway: number;
  /** After which a download is broken off. */
  exportDeadlineMs: number;
  /** A client that takes less while more waits for it is left; 0 = no limit. */
  exportMinBytesPerSecond: number;
  /** Over which that rate is measured. */
  exportRateWindowMs: number;
  /** In which a body that is no upload must have come. */
  smallBodyMs: number;
  /** Open at a time of a user, over all gateways. */
  uploadsPerUser: number;
  /** A client that sends less of an upload is left; 0 = no limit. */
  uploadMinBytesPerSecond: number;
  /** Over which that rate is measured. */
  uploadRateWindowMs: number;
  /** Bytes of uploads that may be held at a time, of all users together at this gateway. */
  uploadBytesPerGateway: number;
}
