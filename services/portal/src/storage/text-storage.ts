export type Storage = Pick<globalThis.Storage, 'getItem' | 'removeItem' | 'setItem' | 'key' | 'length'>;

const DAY_MS = 86_400_000;
/** Drafts without a change for longer are deleted, because computers are shared. */
const DRAFT_DAYS = 30;
const PREFIX = 'po.kept:';
/** Key suffix for the day of a draft's last change, in days since 1970-01-01. */
const CHANGED = '@day';
/** Marks the keys of drafts. */
const ORDER = 'order';
/** Prefix of a draft's text that contains no unsaved input, only a choice for later input. */
export const CHOSEN = '~';

/** Storage key for a user and purpose; for a draft, `what` is 'order', the order, and the part of the order. */
export const storageKey = (user: string, what: readonly string[]): string => PREFIX + JSON.stringify([user, ...what]);

/** User and order of a draft's key; null for other keys. */
function draftOf(name: string): { user: string; poRef: string } | null {
  if (!name.startsWith(PREFIX)) return null;
  try {
    const [user = '', kind, poRef = ''] = JSON.parse(name.slice(PREFIX.length)) as string[];
    return kind === ORDER ? { user, poRef } : null;
  } catch {
    return null;
  }
}

/** Parses a stored list; null if the text is not a list, as other versions or users may have written it. */
export function readList(stored: string | null): unknown[] | null {
  try {
    const found: unknown = JSON.parse(stored ?? 'null');
    return Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

/**
 * Texts that outlive the page, shared by all tabs of a browser; empty if none is stored. If the browser's storage is full or forbidden, a
 * text lasts as long as the page, and is stored as soon as there is space.
 */
export class TextStorage {
  private readonly unsaved = new Map<string, string>();
  private readonly listeners = new Set<() => void>();

  /** `storage` may throw, because browsers can forbid access. */
  constructor(
    private readonly storage: () => Storage,
    private readonly now: () => number = Date.now,
  ) {}

  readonly get = (name: string): string => this.unsaved.get(name) ?? this.stored(name);

  set(name: string, text: string): void {
    this.unsaved.delete(name);
    if (!this.store(name, text)) this.unsaved.set(name, text);
    // If there is no space for the day, the draft's age counts from when there is.
    if (draftOf(name)) this.store(name + CHANGED, text && String(this.today()));
    for (const [waiting, its] of this.unsaved) if (this.store(waiting, its)) this.unsaved.delete(waiting);
    this.notify();
  }

  /** Orders for which this user has drafts with unsaved input. */
  ordersWithDrafts(user: string): Set<string> {
    const unsaved = this.names().filter((name) => !this.get(name).startsWith(CHOSEN));
    const drafts = unsaved.flatMap((name) => draftOf(name) ?? []);
    return new Set(drafts.flatMap((draft) => (draft.user === user ? [draft.poRef] : [])));
  }

  discardDrafts(user: string): void {
    for (const name of this.names()) if (draftOf(name)?.user === user) this.set(name, '');
  }

  /** Deletes expired drafts of all users. A draft without a day, from an older release, counts as changed today. */
  forgetOldDrafts(): void {
    for (const name of this.names().filter(draftOf)) {
      const day = this.stored(name + CHANGED);
      if (day === '') this.store(name + CHANGED, String(this.today()));
      else if (this.today() - Number(day) > DRAFT_DAYS) this.set(name, '');
    }
  }

  /** Whether typed text would be lost with the page. Other texts, such as the list of orders seen, are not worth a question. */
  readonly isFull = (): boolean => [...this.unsaved.keys()].some((name) => draftOf(name) !== null);

  /** Calls `listener` after each change. Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Notifies listeners; to be called when another tab may have changed a text. */
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
      // An empty text cannot be lost.
      return text === '' && this.stored(name) === '';
    }
  }
}
