import { atConstantRate } from '../load/constant-rate.js';
import { type Quantiles, quantilesOf } from '../load/quantiles.js';
import { HttpClient, type HttpRequest } from '../scale/http.js';

const PER_SECOND = 50;
const LANES = 64;

/** Somebody who asks for one order, fifty times a second, whatever the answers take. */
export class Neighbour {
  private readonly client: HttpClient;
  private readonly latencies: number[] = [];
  private worst = 0;

  constructor(
    gatewayUrl: string,
    private readonly request: HttpRequest,
  ) {
    this.client = new HttpClient(gatewayUrl, LANES);
  }

  /** Asks until the work is done. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    let isDone = false;
    const working = work().finally(() => (isDone = true));
    while (!isDone) await this.askFor(1);
    return working;
  }

  /** Asks for so many seconds. */
  askFor(seconds: number): Promise<void> {
    return atConstantRate({ perSecond: PER_SECOND, seconds, lanes: LANES }, async ({ dueAt }) => {
      const failure = await this.client.ask(this.request);
      if (failure !== null) throw new Error(`the neighbour was answered ${failure}`);
      const latency = performance.now() - dueAt;
      this.latencies.push(latency);
      this.worst = Math.max(this.worst, latency);
    });
  }

  /** Milliseconds from when each request was due. */
  figures(): Quantiles & { worst: number } {
    return { ...quantilesOf(this.latencies), worst: this.worst };
  }

  close(): void {
    this.client.close();
  }
}
