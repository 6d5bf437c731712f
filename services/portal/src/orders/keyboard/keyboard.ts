export type Command =
  | ('down' | 'up' | 'first' | 'last')
  | ('open' | 'toggle' | 'extend' | 'extend-down' | 'extend-up' | 'all')
  | ('search' | 'help' | 'leave');

export interface Pressed {
  key: string;
  /** With Ctrl, Alt or the command key: the browser's. */
  chorded: boolean;
  shift: boolean;
  /** Where the focus is: a text is written, something is open above the page, or a button or link that has keys of its own. */
  place: 'page' | 'row' | 'control' | 'field' | 'overlay';
}

const ANYWHERE = new Map<string, Command>(
  Object.entries({
    j: 'down',
    k: 'up',
    x: 'toggle',
    '/': 'search',
    '?': 'help',
    Escape: 'leave',
  }),
);
/** Keys that scroll the page, unless a row has the focus. */
const IN_ROWS = new Map<string, Command>(
  Object.entries({
    ArrowDown: 'down',
    ArrowUp: 'up',
    Home: 'first',
    End: 'last',
    Enter: 'open',
    ' ': 'toggle',
  }),
);
const WITH_SHIFT: Partial<Record<Command, Command>> = { toggle: 'extend', down: 'extend-down', up: 'extend-up' };

/** What a key means for the list; null where it is none of its business. */
export function commandOf({ key: typed, chorded, shift, place }: Pressed): Command | null {
  if (place === 'field' || place === 'overlay') return null;
  // A letter is the same with Shift, which is told beside it, and with a caps lock.
  const key = typed.length === 1 ? typed.toLowerCase() : typed;
  if (place === 'row' && chorded && key === 'a') return 'all';
  if (chorded) return null;
  const command = ANYWHERE.get(key) ?? (place === 'row' ? IN_ROWS.get(key) : null) ?? null;
  if (place === 'page' && key === 'Enter') return 'open';
  return command !== null && shift ? (WITH_SHIFT[command] ?? command) : command;
}

/** Where one is after a move; null where there are no rows. One who is nowhere begins at the first. */
export function moved(
  rows: readonly string[],
  cursor: string | null,
  command: 'down' | 'up' | 'first' | 'last',
): string | null {
  const at = rows.indexOf(cursor ?? '');
  const last = rows.length - 1;
  if (command === 'first' || at < 0) return rows[command === 'last' ? last : 0] ?? null;
  if (command === 'last') return rows[last] ?? null;
  return rows[Math.min(last, Math.max(0, at + (command === 'down' ? 1 : -1)))] ?? null;
}
