import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../../deploy/local/api-client.js';

/** Requests under way at once, and the pause of each user between two. */
const USERS = 4;
const PAUSE_MS = 100;
/** One that is kept may close just when its next request is sent; HTTP has clients repeat that one (RFC 9112, 9.3.1). */
const NEW_CONNECTION = { connection: 'close' };

/** Users who ask each service, and write, until they are told to stop. No request is repeated. */
export class Load {
  /** What was not answered with 2xx. */
  readonly failures: string[] = [];
  answered = 0;
  private stopped = false;
  private readonly running: Promise<unknown>;

  constructor(api: Api, poRef: string) {
    const order = `/purchase-orders/${poRef}`;
    const look = (path: string) => () => api.get(path, undefined, NEW_CONNECTION);
    const requests: Record<string, () => Promise<{ status: number; text: string }>> = {
      order: look(order),
      write: () => api.post(`${order}/messages`, { body: 'When?' }, NEW_CONNECTION),
      notifications: look('/notifications'),
      dashboard: look('/dashboard/kpis'),
      mail: look('/mail/suppressions'),
    };
    this.running = Promise.all(Array.from({ length: USERS }, () => this.run(Object.entries(requests))));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(requests: [name: string, send: () => Promise<{ status: number; text: string }>][]): Promise<void> {
    while (!this.stopped) {
      for (const [name, send] of requests) {
        const failure = await send().then(
          ({ status, text }) => (status < 300 ? null : `${status} ${text}`),
          (error: Error) => `${error.message} ${String(error.cause)}`,
        );
        if (failure === null) this.answered += 1;
        else this.failures.push(`${new Date().toISOString()} ${name}: ${failure}`);
        await delay(PAUSE_MS);
      }
    }
  }
}
