import type { FileFormat } from '../../api/writes.js';
import { readSheet } from './read-sheet.js';

// Runs in a worker, because a large workbook takes a second, which would block the page.
globalThis.addEventListener('message', ({ data }: MessageEvent<{ bytes: Uint8Array; kind: FileFormat }>) => {
  // The page gets `error` events, but no event for a rejected promise.
  readSheet(data.bytes, data.kind).then(globalThis.postMessage, globalThis.reportError);
});
