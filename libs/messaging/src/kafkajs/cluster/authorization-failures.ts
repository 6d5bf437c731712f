import type { Logger } from '@po/platform';
import { CODE } from './protocol.js';

const REFUSING: readonly number[] = [CODE.topicAuthorizationFailed, CODE.groupAuthorizationFailed];
/** Above the maximum age of metadata, whose refresh repeats a denial to describe a topic. */
const LISTED_FOR_MS = 600_000;

/** Operations that brokers denied to this client at the last attempt, at most ten minutes ago. */
export class AuthorizationFailures {
  /** Time of the last denial by operation. */
  private readonly denied = new Map<string, number>();

  constructor(private readonly logger: Logger) {}

  /** Records a broker's answer to a request to `describe`, `read` or `write to` a topic or group. */
  note(code: number, operation: 'describe' | 'read' | 'write to', kind: 'topic' | 'group', name: string): void {
    // Called for every record: allocates nothing while access is granted.
    if (code === CODE.none && this.denied.size === 0) return;
    const what = `${operation} ${kind} ${name}`;
    if (REFUSING.includes(code)) {
      if (!this.isListed(what)) this.logger.error({ refused: what }, "Kafka denied access to this service's user");
      this.denied.set(what, performance.now());
    } else if (code === CODE.none) {
      this.denied.delete(what);
      // A wider permission includes `describe`.
      this.denied.delete(`describe ${kind} ${name}`);
    }
  }

  list(): string[] {
    return [...this.denied.keys()].filter((what) => this.isListed(what));
  }

  private isListed(what: string): boolean {
    return performance.now() - (this.denied.get(what) ?? -Infinity) < LISTED_FOR_MS;
  }
}
