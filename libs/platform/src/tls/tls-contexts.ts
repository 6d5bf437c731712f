import { type SecureContext, createSecureContext } from 'node:tls';
import { type TlsFiles, tlsFiles } from './tls-files.js';

/** Of `tls.connect`, and of the clients that hand it on. */
export interface VerifiedTls {
  readonly secureContext: SecureContext;
  rejectUnauthorized: true;
}

/**
 * Options of TLS connections whose server must prove who it is, and which are made with what the files hold at that moment. While they
 * cannot be used, as between two writes of a pair, connections are made with what they held before, and `onProblem` is told: what
 * clients do with a failure in the middle of connecting is to give up for good, or to end the process. Throws if they never could.
 * @param use as for `tlsFiles`
 */
export function verifiedTls(use: string, files: TlsFiles, onProblem: (problem: Error) => void): VerifiedTls {
  const read = tlsFiles(use, files);
  let usable = createSecureContext(read());
  return {
    // Without this an environment variable of Node's could turn it off.
    rejectUnauthorized: true,
    get secureContext() {
      try {
        usable = createSecureContext(read());
      } catch (error) {
        onProblem(error as Error);
      }
      return usable;
    },
  };
}
