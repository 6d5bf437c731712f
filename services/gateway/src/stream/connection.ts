import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { StreamEvents } from '@po/contracts';
import type { FastifyReply } from 'fastify';
import { COMMENT, eventText } from './server-sent-events.js';

export type EndReason = StreamEvents['end']['reason'];
/** Reason of the end as it is counted, with more detail than clients need. */
type Cause = EndReason | 'token-refused' | 'identity-changed' | 'renewed' | 'client' | 'slow';

/** Milliseconds; the defaults below if absent. */
export interface ConnectionTimes {
  /** Interval of comment lines. */
  commentEveryMs?: number;
  /** Maximum time that a stream is open. */
  openMs?: number;
}

/** Headers that keep proxies from holding events back. */
const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' };
/** Maximum bytes that wait for a client that does not read. */
const MAX_WAITING = 256 * 1024;
const COMMENT_EVERY_MS = 15_000;
/**
 * Maximum time that a stream is open before its client reconnects: a change of the user that this gateway did not learn of takes effect by
 * then.
 */
const MAX_OPEN_MS = 15 * 60_000;
/** A stream ends in this last part of it, so that streams opened together do not all reconnect together. */
const ENDS_WITHIN = 0.1;
/** Maximum time that the end of a stream waits for a client that does not read. */
const END_TIMEOUT_MS: Record<EndReason, number> = { 'token-expired': 10_000, shutdown: 1_000 };

/** Takes a response over from the framework and sends the headers of a stream. */
export function beginStream(reply: FastifyReply): ServerResponse {
  reply.headers(HEADERS).hijack();
  return reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
}

/** The response of a stream: writing, waiting data and the end. */
export class Connection {
  /** Reason of the end, once the stream has ended. */
  reason: Cause = 'client';
  private readonly comments: NodeJS.Timeout;
  private readonly ending: NodeJS.Timeout;
  private dying: NodeJS.Timeout | undefined;

  /** Resolves when the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;

  constructor(
    private readonly response: ServerResponse,
    /** Epoch milliseconds. */
    expiresAt: number,
    { commentEveryMs = COMMENT_EVERY_MS, openMs = MAX_OPEN_MS }: ConnectionTimes = {},
  ) {
    const renewalMs = openMs * (1 - ENDS_WITHIN * Math.random());
    const expiryMs = Math.max(0, expiresAt - Date.now());
    this.ending =
      expiryMs < renewalMs
        ? setTimeout(() => this.end('token-expired'), expiryMs)
        : setTimeout(() => this.end('shutdown', 'renewed'), renewalMs);
    this.comments = setInterval(() => this.write(COMMENT), commentEveryMs);
    this.closed = new Promise((resolve) => response.once('close', resolve)).then(() => {
      clearInterval(this.comments);
      clearTimeout(this.ending);
      clearTimeout(this.dying);
    });
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** Sends the text, whether the client reads or not, or disconnects a client for which too much waits already. */
  write(text: string | Buffer): void {
    if (this.bound()) this.response.write(text);
  }

  /** Disconnects a client for which too much waits, including `elsewhere` bytes. Returns whether the stream is open. */
  bound(elsewhere = 0): boolean {
    if (this.isOpen && this.response.writableLength + elsewhere > MAX_WAITING) {
      this.reason = 'slow';
      this.response.destroy();
    }
    return this.isOpen;
  }

  /** Sends the text and resolves when the client has read on or has disconnected. */
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

  /** Sends the reason and ends the stream; a client that does not read gets a limited time. */
  end(reason: EndReason, cause: Cause = reason): void {
    if (this.response.destroyed) return;
    if (this.isOpen) {
      this.reason = cause;
      this.response.end(eventText('end', { reason }));
    }
    clearTimeout(this.dying);
    this.dying = setTimeout(() => this.response.destroy(), END_TIMEOUT_MS[reason]);
  }

  destroy(): void {
    this.response.destroy();
  }
}
