import { type Socket, connect } from 'node:net';

export interface Answer {
  status: number;
  body: Buffer;
}

/** Longer than the request timeout of every variant. */
const TIMEOUT_MS = 15_000;

/** A keep-alive connection with one request in flight. A raw socket, because the client shares the CPU with the servers it measures. */
export class Connection {
  private socket: Promise<Socket> | null = null;
  private received: Buffer = Buffer.alloc(0);
  private answer: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;

  constructor(private readonly url: URL) {}

  /** Sends the complete text of an HTTP/1.1 request. Rejects when the connection breaks or times out; the next call reconnects. */
  async exchange(request: string): Promise<Answer> {
    this.socket ??= this.open();
    const socket = await this.socket;
    return new Promise((resolve, reject) => {
      this.answer = { resolve, reject };
      socket.write(request);
    });
  }

  close(): void {
    void this.socket?.then((socket) => socket.destroy());
  }

  private open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(this.url.port), this.url.hostname, () => resolve(socket));
      const broken = (error: Error) => {
        this.socket = null;
        this.received = Buffer.alloc(0);
        reject(error);
        this.answer?.reject(error);
        this.answer = null;
      };
      socket.setNoDelay(true);
      socket.setTimeout(TIMEOUT_MS, () => {
        if (this.answer) socket.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`));
      });
      socket.on('error', broken);
      socket.on('close', () => broken(new Error('the server closed the connection')));
      socket.on('data', (chunk) => this.take(chunk));
    });
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const headEnd = this.received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.received.toString('latin1', 0, headEnd);
    const end = headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.received.length < end) return;
    const body = this.received.subarray(headEnd + 4, end);
    this.received = this.received.subarray(end);
    const { answer } = this;
    this.answer = null;
    answer?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}
