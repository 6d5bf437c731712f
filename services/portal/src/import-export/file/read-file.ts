import type { FileFormat } from '../../api/writes.js';
import type { readSheet } from './read-sheet.js';

/** Reads a file in a worker. Rejects if the worker fails. */
export async function readFile(file: Blob, kind: FileFormat): ReturnType<typeof readSheet> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const worker = new Worker(new URL('reading.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Awaited<ReturnType<typeof readSheet>>>) =>
        resolve(data),
      );
      // Only an error of a running worker has a message. Without one, its script could not be loaded.
      worker.addEventListener('error', ({ message }) =>
        reject(new Error(message || 'importing a module script failed')),
      );
      worker.postMessage({ bytes, kind }, [bytes.buffer]);
    });
  } finally {
    worker.terminate();
  }
}
