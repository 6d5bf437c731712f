export type Command =
  | ('down' | 'up' | 'first' | 'last')
  | ('open' | 'toggle' | 'extend' | 'extend-down' | 'extend-up' | 'all')
  | ('search' | 'help' | 'leave');

export interface Pressed {
  key: string;
  /** Pressed with Ctrl, Alt or Command, which the browser uses. */
  chorded: boolean;
  shift: boolean;
  /** Whether single-key shortcuts are turned on. */
  characters: boolean;
  /** Location of the focus. `field`: text input; `overlay`: a dialog or menu; `control`: a button or link with keys of its own. */
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

/** Command of a key in the list; null if the list ignores the key. */
export function commandOf({ key: typed, chorded, shift, characters, place }: Pressed): Command | null {
  if (place === 'field' || place === 'overlay') return null;
  // Ignores the case of letters, because Shift is passed separately and Caps Lock does not matter.
  const key = typed.length === 1 ? typed.toLowerCase() : typed;
  if (place === 'row' && chorded && key === 'a') return 'all';
  if (chorded || (!characters && key.length === 1 && key !== ' ')) return null;
  const command = ANYWHERE.get(key) ?? (place === 'row' ? IN_ROWS.get(key) : null) ?? null;
  if (place === 'page' && key === 'Enter') return 'open';
  return command !== null && shift ? (WITH_SHIFT[command] ?? command) : command;
}

/** The row after a move; null if there are no rows. Without a current row, `last` leads to the last row and other moves to the first. */
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
