import type { Logger } from '@po/platform';
import { CODE } from './protocol.js';

const REFUSING: readonly number[] = [CODE.topicAuthorizationFailed, CODE.groupAuthorizationFailed];

/** Operations that brokers denied to this client at the last attempt. */
export class AuthorizationFailures {
  private readonly denied = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Records a broker's answer to a request to `describe`, `read` or `write to` a topic or group. */
  note(code: number, operation: 'describe' | 'read' | 'write to', kind: 'topic' | 'group', name: string): void {
    // Called for every record: allocates nothing while access is granted.
    if (code === CODE.none && this.denied.size === 0) return;
    const what = `${operation} ${kind} ${name}`;
    if (REFUSING.includes(code)) {
      if (!this.denied.has(what)) this.logger.error({ refused: what }, "Kafka denied access to this service's user");
      this.denied.add(what);
    } else if (code === CODE.none) {
      this.denied.delete(what);
      // A wider permission includes `describe`.
      this.denied.delete(`describe ${kind} ${name}`);
    }
  }

  list(): string[] {
    return [...this.denied];
  }
}
