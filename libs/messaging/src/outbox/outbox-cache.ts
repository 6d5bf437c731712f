import type { OutboxEntry, OutboxMessage } from './outbox.js';

/** Approximate limit of all cached entries. Entries that are not cached are read from their rows, like those of other processes. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Entries that this process has just committed, so that its relay need not read and parse their content again. The rows remain the
 * source of truth.
 */
export class OutboxCache {
  private readonly entries = new Map<string, readonly OutboxMessage[]>();
  private characters = 0;

  constructor(private readonly most = MAX_CHARACTERS) {}

  /** Adds the entry. Empties a full cache first: nobody removes entries of parked keys, which would fill it forever. */
  add({ key, version, messages }: OutboxEntry): void {
    const characters = sizeOf(messages);
    if (characters > this.most) return;
    this.remove(key, version);
    if (this.characters + characters > this.most) this.clear();
    this.entries.set(nameOf(key, version), messages);
    this.characters += characters;
  }

  find(key: string, version: number): readonly OutboxMessage[] | undefined {
    return this.entries.get(nameOf(key, version));
  }

  remove(key: string, version: number): void {
    const messages = this.find(key, version);
    if (!messages) return;
    this.entries.delete(nameOf(key, version));
    this.characters -= sizeOf(messages);
  }

  clear(): void {
    this.entries.clear();
    this.characters = 0;
  }
}

const nameOf = (key: string, version: number): string => `${version} ${key}`;
const sizeOf = (messages: readonly OutboxMessage[]): number =>
  messages.reduce((sum, { value }) => sum + lengthOf(value), 0);
const lengthOf = (value: OutboxMessage['value']): number =>
  typeof value === 'string' ? value.length : value.reduce((sum, { length }) => sum + length, 0);
