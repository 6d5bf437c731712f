import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../../deploy/local/api-client.js';

/** Concurrent users, and the pause of each between two requests. */
const USERS = 4;
const PAUSE_MS = 100;
/** Every second user opens a connection for each request, as a load balancer may. The others keep theirs, as browsers do. */
const connectionOf = (user: number): Record<string, string> => (user % 2 === 0 ? {} : { connection: 'close' });

/** Users who read from every service, and write, until stopped. No request is retried. */
export class Load {
  /** Requests without a 2xx response. */
  readonly failures: string[] = [];
  answered = 0;
  private stopped = false;
  private readonly running: Promise<unknown>;

  constructor(api: Api, poRef: string) {
    const order = `/purchase-orders/${poRef}`;
    const requestsOf = (user: number) => {
      const look = (path: string) => () => api.get(path, undefined, connectionOf(user));
      return Object.entries<() => Promise<{ status: number; text: string }>>({
        order: look(order),
        write: () => api.post(`${order}/messages`, { body: 'When?' }, connectionOf(user)),
        notifications: look('/notifications'),
        dashboard: look('/dashboard/kpis'),
        mail: look('/mail/suppressions'),
      });
    };
    this.running = Promise.all(Array.from({ length: USERS }, (_, user) => this.run(requestsOf(user))));
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
