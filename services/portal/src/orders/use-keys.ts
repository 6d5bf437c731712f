import { useEffect, useRef } from 'react';
import { type Command, type Pressed, commandOf } from './keyboard.js';

const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable]';
const OVERLAYS = '[role=dialog], [role=menu], [role=listbox]';

/** Does what keys mean for the list, while it is there. `act` says whether it did something. */
export function useKeys(act: (command: Command) => boolean): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const { key, shiftKey: shift, ctrlKey, metaKey, altKey, target } = event;
      const command = commandOf({ key, shift, chorded: ctrlKey || metaKey || altKey, place: placeOf(target) });
      if (command !== null && latest.current(command)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function placeOf(target: EventTarget | null): Pressed['place'] {
  if (document.querySelector(OVERLAYS) !== null) return 'overlay';
  if (!(target instanceof Element) || target === document.body || target.id === 'content') return 'page';
  if (target.matches(FIELDS)) return 'field';
  return target.matches('[data-order]') ? 'row' : 'control';
}
