import type { Logger } from '@po/platform';
import { CODE } from './protocol.js';

const REFUSING: readonly number[] = [CODE.topicAuthorizationFailed, CODE.groupAuthorizationFailed];

/** What brokers do not let this client do, as they said last. */
export class AuthorizationFailures {
  private readonly told = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Takes down a broker's answer to who wants to `describe`, `read` or `write to` something, as `topic po.state.v1`. */
  note(code: number, wish: 'describe' | 'read' | 'write to', kind: 'topic' | 'group', name: string): void {
    // On the way of every record: nothing is made of what is as it should be.
    if (code === CODE.none && this.told.size === 0) return;
    const what = `${wish} ${kind} ${name}`;
    if (REFUSING.includes(code)) {
      if (!this.told.has(what)) this.logger.error({ refused: what }, "Kafka does not let this service's user do this");
      this.told.add(what);
    } else if (code === CODE.none) {
      this.told.delete(what);
      // Whoever may do more may do this too.
      this.told.delete(`describe ${kind} ${name}`);
    }
  }

  list(): string[] {
    return [...this.told];
  }
}
