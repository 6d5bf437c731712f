/** The part of `localStorage` that is needed. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'removeItem' | 'setItem'>;

/** Where something of this user is kept; `what` tells apart what that is. */
export const nameOf = (user: string, what: readonly string[]): string => `po.kept:${JSON.stringify([user, ...what])}`;

/**
 * Texts that outlive the page, the same in all tabs of a browser; empty where none is kept. What a browser does not keep, because it is
 * full or must not, lives as long as the page, and is kept as soon as there is room.
 */
export class KeptTexts {
  private readonly unkept = new Map<string, string>();
  private readonly listeners = new Set<() => void>();

  /** `storage` may throw: browsers can forbid it. */
  constructor(private readonly storage: () => Storage) {}

  readonly get = (name: string): string => this.unkept.get(name) ?? this.stored(name);

  set(name: string, text: string): void {
    this.unkept.delete(name);
    if (!this.store(name, text)) this.unkept.set(name, text);
    for (const [waiting, its] of this.unkept) if (this.store(waiting, its)) this.unkept.delete(waiting);
    this.tell();
  }

  /** Something would be lost with the page. */
  readonly isFull = (): boolean => this.unkept.size > 0;

  /** Calls `listener` after each change. Returns what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** To be called when another tab may have changed something. */
  readonly tell = (): void => {
    for (const listener of this.listeners) listener();
  };

  private stored(name: string): string {
    try {
      return this.storage().getItem(name) ?? '';
    } catch {
      return '';
    }
  }

  private store(name: string, text: string): boolean {
    try {
      if (text === '') this.storage().removeItem(name);
      else this.storage().setItem(name, text);
      return true;
    } catch {
      // What is nothing cannot be lost.
      return text === '' && this.stored(name) === '';
    }
  }
}
