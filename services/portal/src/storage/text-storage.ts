export type Storage = Pick<globalThis.Storage, 'getItem' | 'removeItem' | 'setItem' | 'key' | 'length'>;

const DAY_MS = 86_400_000;
/** Drafts that nobody has changed for longer are forgotten: computers are shared. */
const DRAFT_DAYS = 30;
const PREFIX = 'po.kept:';
/** Behind the name of a draft: the day of its last change, from the beginning of 1970. */
const CHANGED = '@day';
/** What a draft is of, in its name. */
const ORDER = 'order';
/** The text of a draft in which nothing is unsaved, only chosen for what will be, begins so. */
export const CHOSEN = '~';

/** Where something of this user is kept; `what` tells apart what that is: for a draft 'order', the order, and which part of it. */
export const storageKey = (user: string, what: readonly string[]): string => PREFIX + JSON.stringify([user, ...what]);

/** Whose draft is kept there, and of which order; null for anything else. */
function draftOf(name: string): { user: string; poRef: string } | null {
  if (!name.startsWith(PREFIX)) return null;
  try {
    const [user = '', kind, poRef = ''] = JSON.parse(name.slice(PREFIX.length)) as string[];
    return kind === ORDER ? { user, poRef } : null;
  } catch {
    return null;
  }
}

/** Reads a list that was stored, also by another version or by hand; null where there is none. */
export function readList(stored: string | null): unknown[] | null {
  try {
    const found: unknown = JSON.parse(stored ?? 'null');
    return Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

/**
 * Texts that outlive the page, the same in all tabs of a browser; empty where none is kept. What a browser does not keep, because it is
 * full or must not, lives as long as the page, and is kept as soon as there is room.
 */
export class TextStorage {
  private readonly unsaved = new Map<string, string>();
  private readonly listeners = new Set<() => void>();

  /** `storage` may throw: browsers can forbid it. */
  constructor(
    private readonly storage: () => Storage,
    private readonly now: () => number = Date.now,
  ) {}

  readonly get = (name: string): string => this.unsaved.get(name) ?? this.stored(name);

  set(name: string, text: string): void {
    this.unsaved.delete(name);
    if (!this.store(name, text)) this.unsaved.set(name, text);
    // Without room for the day it counts from when there is.
    if (draftOf(name)) this.store(name + CHANGED, text && String(this.today()));
    for (const [waiting, its] of this.unsaved) if (this.store(waiting, its)) this.unsaved.delete(waiting);
    this.notify();
  }

  /** The orders that this user has drafts of with anything unsaved. */
  ordersWithDrafts(user: string): Set<string> {
    const unsaved = this.names().filter((name) => !this.get(name).startsWith(CHOSEN));
    const drafts = unsaved.flatMap((name) => draftOf(name) ?? []);
    return new Set(drafts.flatMap((draft) => (draft.user === user ? [draft.poRef] : [])));
  }

  discardDrafts(user: string): void {
    for (const name of this.names()) if (draftOf(name)?.user === user) this.set(name, '');
  }

  /** Forgets everybody's drafts that are too old. One without a day, of an older release, is as if it was changed today. */
  forgetOldDrafts(): void {
    for (const name of this.names().filter(draftOf)) {
      const day = this.stored(name + CHANGED);
      if (day === '') this.store(name + CHANGED, String(this.today()));
      else if (this.today() - Number(day) > DRAFT_DAYS) this.set(name, '');
    }
  }

  /** Something would be lost with the page. */
  readonly isFull = (): boolean => this.unsaved.size > 0;

  /** Calls `listener` after each change. Returns what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** To be called when another tab may have changed something. */
  readonly notify = (): void => {
    for (const listener of this.listeners) listener();
  };

  private today = (): number => Math.floor(this.now() / DAY_MS);

  private names(): string[] {
    try {
      const storage = this.storage();
      const kept = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
      return [...new Set([...kept, ...this.unsaved.keys()])];
    } catch {
      return [...this.unsaved.keys()];
    }
  }

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
