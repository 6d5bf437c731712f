import { type SecureContext, createSecureContext } from 'node:tls';
import { type TlsFiles, tlsFiles } from './tls-files.js';

/** Options for `tls.connect` and for clients that pass them on. */
export interface VerifiedTls {
  readonly secureContext: SecureContext;
  rejectUnauthorized: true;
}

/**
 * TLS options that require a verified server and use the current content of the files for each new connection. While the files are
 * unusable, as between the two writes of a pair, connections use the previous content and `onProblem` gets the error, because clients
 * react to a failure while connecting by giving up for good or ending the process. Throws if the files are unusable at the first read.
 * @param use as for `tlsFiles`
 */
export function verifiedTls(use: string, files: TlsFiles, onProblem: (problem: Error) => void): VerifiedTls {
  const read = tlsFiles(use, files);
  let usable = createSecureContext(read());
  return {
    // Explicit, because otherwise NODE_TLS_REJECT_UNAUTHORIZED could disable the verification.
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
