import { useEffect, useEffectEvent } from 'react';
import { type Command, type Pressed, commandOf } from './keyboard.js';

const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable]';
const OVERLAYS = '[role=dialog], [role=menu], [role=listbox]';

/** Does what keys mean for the list, while it is there. `act` says whether it did something. */
export function useKeys(act: (command: Command) => boolean): void {
  const onCommand = useEffectEvent(act);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const { key, shiftKey: shift, ctrlKey, metaKey, altKey, target } = event;
      const command = commandOf({ key, shift, chorded: ctrlKey || metaKey || altKey, place: placeOf(target) });
      if (command !== null && onCommand(command)) event.preventDefault();
    };
    // On the way down: what a key closes is no longer there on the way up, and the same key would mean something for the list.
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

function placeOf(target: EventTarget | null): Pressed['place'] {
  if (!(target instanceof Element) || target === document.body || target.id === 'content') return 'page';
  // What is open has the focus.
  if (target.closest(OVERLAYS) !== null) return 'overlay';
  if (target.matches(FIELDS)) return 'field';
  return target.matches('[data-order]') ? 'row' : 'control';
}
