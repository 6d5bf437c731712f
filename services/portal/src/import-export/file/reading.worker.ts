import type { FileFormat } from '../../api/writes.js';
import { readSheet } from './read-sheet.js';

// A large workbook takes a second, in which the page is to go on.
globalThis.addEventListener('message', ({ data }: MessageEvent<{ bytes: Uint8Array; kind: FileFormat }>) => {
  // The page hears of an error, but not of a promise that was rejected.
  readSheet(data.bytes, data.kind).then(globalThis.postMessage, globalThis.reportError);
});
