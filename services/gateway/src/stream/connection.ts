import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { StreamEvents } from '@po/contracts';
import type { FastifyReply } from 'fastify';
import { COMMENT, eventText } from './server-sent-events.js';

export type EndReason = StreamEvents['end']['reason'];
/** Why it ended, as it is counted: more than clients need to know. */
type Cause = EndReason | 'token-refused' | 'identity-changed' | 'renewed' | 'client' | 'slow';

/** Milliseconds; as they are here if absent. */
export interface ConnectionTimes {
  /** Between two comment lines. */
  commentEveryMs?: number;
  /** For which it may be open. */
  openMs?: number;
}

/** Nobody between here and the client may keep any of it back. */
const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' };
/** Bytes that may wait for a client that does not read. */
const MAX_WAITING = 256 * 1024;
const COMMENT_EVERY_MS = 15_000;
/** A stream ends after that at the latest, and its client comes again: what nobody told of its user is noticed by then. */
const MAX_OPEN_MS = 15 * 60_000;
/** In the last part of that, so that streams that began together do not all come again together. */
const ENDS_WITHIN = 0.1;
/** How long a stream's end may wait for a client that does not read. */
const END_WITHIN_MS: Record<EndReason, number> = { 'token-expired': 10_000, shutdown: 1_000 };
/** The longest that Node's timers take. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Takes an answer out of the framework's hands and sends the headers of a stream. */
export function beginStream(reply: FastifyReply): ServerResponse {
  reply.headers(HEADERS).hijack();
  return reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
}

/** An answer that goes on: what is written, what waits, and how it ends. */
export class Connection {
  /** Why it ended, once it has. */
  reason: Cause = 'client';
  private readonly comments: NodeJS.Timeout;
  private readonly renewal: NodeJS.Timeout;
  private expiry: NodeJS.Timeout | undefined;
  private dying: NodeJS.Timeout | undefined;

  /** Resolves when it is over, for whatever reason. */
  readonly closed: Promise<void>;

  constructor(
    private readonly response: ServerResponse,
    /** Epoch milliseconds. */
    expiresAt: number,
    { commentEveryMs = COMMENT_EVERY_MS, openMs = MAX_OPEN_MS }: ConnectionTimes = {},
  ) {
    this.renewal = setTimeout(() => this.end('shutdown', 'renewed'), openMs * (1 - ENDS_WITHIN * Math.random()));
    this.comments = setInterval(() => this.write(COMMENT), commentEveryMs);
    this.expireAt(expiresAt);
    this.closed = new Promise((resolve) => response.once('close', resolve)).then(() => {
      clearInterval(this.comments);
      clearTimeout(this.renewal);
      clearTimeout(this.expiry);
      clearTimeout(this.dying);
    });
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** Sends it, or cuts a client off for which too much waits already: it comes whether it is read or not. */
  write(text: string | Buffer): void {
    if (this.bound()) this.response.write(text);
  }

  /** Cuts a client off for which too much waits, `elsewhere` bytes among it; answers whether the stream is open. */
  bound(elsewhere = 0): boolean {
    if (this.isOpen && this.response.writableLength + elsewhere > MAX_WAITING) {
      this.reason = 'slow';
      this.response.destroy();
    }
    return this.isOpen;
  }

  /** Sends it, and resolves when the client has read on, or will not any more. */
  async writeAsRead(text: string): Promise<void> {
    if (!this.isOpen || this.response.write(text)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }

  /** Tells the client why, and ends it; without waiting for one that does not read. */
  end(reason: EndReason, cause: Cause = reason): void {
    if (this.isOpen) {
      this.reason = cause;
      this.response.end(eventText('end', { reason }));
    }
    clearTimeout(this.dying);
    this.dying = setTimeout(() => this.response.destroy(), END_WITHIN_MS[reason]);
  }

  destroy(): void {
    this.response.destroy();
  }

  private expireAt(expiresAt: number): void {
    const left = expiresAt - Date.now();
    const fits = left <= MAX_TIMER_MS;
    this.expiry = setTimeout(
      () => (fits ? this.end('token-expired') : this.expireAt(expiresAt)),
      fits ? Math.max(0, left) : MAX_TIMER_MS,
    );
  }
}
