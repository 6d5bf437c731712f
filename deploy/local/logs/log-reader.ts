import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { logFile, olderPartOf, sourcesIn } from './log-files.js';
import { type LogLine, parseLine } from './log-line.js';

const EVERY_MS = 200;
const NEWLINE = 0x0a;

interface Progress {
  /** Bytes that were read or skipped. */
  offset: number;
  /** Whether the offset is inside a line, whose rest is skipped too. */
  inside: boolean;
  /** Beginning of a line that is not completely written yet. */
  rest: Buffer;
}

/** Reads the logs of a folder as they grow, including those that appear later. */
export class LogReader {
  private readonly progress = new Map<string, Progress>();
  private first = true;

  /** Reads the sources that are `wanted`. The first read is limited to the last `tailBytes` of each. */
  constructor(
    private readonly folder: string,
    private readonly wanted: (source: string) => boolean,
    private readonly tailBytes = Infinity,
  ) {}

  /** Returns the lines that were written since the last call, sorted by time. */
  async read(): Promise<LogLine[]> {
    const sources = (await sourcesIn(this.folder)).filter(this.wanted);
    const read = await Promise.all(sources.map((source) => this.readSource(source)));
    this.first = false;
    return read
      .flatMap(withTimes)
      .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
      .map(({ line }) => line);
  }

  /** Passes new lines to `take` until `signal` aborts, then the last ones. */
  async follow(take: (lines: LogLine[]) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      take(await this.read());
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    take(await this.read());
  }

  private async readSource(source: string): Promise<LogLine[]> {
    const path = logFile(this.folder, source, 0);
    const file = await openIfThere(path);
    // The file was just renamed by a new start.
    if (!file) return [];
    try {
      const { size } = await file.stat();
      const progress = this.progress.get(source) ?? this.begin(source, size);
      const parts = [progress.rest];
      if (size < progress.offset) {
        // The file was truncated. Its unread part is in the older part, at the same offset.
        parts.push(await readOlder(olderPartOf(path), progress.offset));
        progress.offset = 0;
      }
      parts.push(await readBetween(file, progress.offset, size));
      progress.offset = size;
      const bytes = Buffer.concat(parts);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      progress.rest = bytes.subarray(end);
      const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
      if (progress.inside && lines.length > 0) {
        lines.shift();
        progress.inside = false;
      }
      return lines.filter((text) => text !== '').map((text) => parseLine(source, text));
    } finally {
      await file.close();
    }
  }

  private begin(source: string, size: number): Progress {
    const offset = this.first ? Math.max(0, size - this.tailBytes) : 0;
    const progress = { offset, inside: offset > 0, rest: Buffer.alloc(0) };
    this.progress.set(source, progress);
    return progress;
  }
}

async function readOlder(path: string, offset: number): Promise<Buffer> {
  const file = await openIfThere(path);
  if (!file) return Buffer.alloc(0);
  try {
    return await readBetween(file, offset, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

async function readBetween(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (end <= start) return Buffer.alloc(0);
  for await (const chunk of file.createReadStream({ start, end: end - 1, autoClose: false }))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const openIfThere = (path: string): Promise<FileHandle | null> =>
  open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Adds the time to each line; a line without a time gets that of the previous line. */
function withTimes(lines: readonly LogLine[]): { time: string; line: LogLine }[] {
  let time = '';
  return lines.map((line) => {
    time = line.entry?.time ?? time;
    return { time, line };
  });
}
