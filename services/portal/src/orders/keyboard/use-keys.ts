import { useEffect, useEffectEvent } from 'react';
import { isComposing } from '../../components/forms/is-composing.js';
import { useStored } from '../../storage/use-stored.js';
import { type Command, type Pressed, commandOf } from './keyboard.js';

const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable]';
const OVERLAYS = '[role=dialog], [role=menu], [role=listbox]';

const readIsOn = (stored: string | null): boolean => stored !== 'false';
/** Whether the list uses single-key shortcuts. They can be turned off, because dictated words press them too (WCAG 2.1.4). */
export const useCharacterKeys = () => useStored('orders.character-keys', readIsOn);

/** Calls `handle` with commands of the list's keyboard shortcuts while mounted. `handle` returns whether it used the command. */
export function useKeys(handle: (command: Command) => boolean): void {
  const [characters] = useCharacterKeys();
  const onCommand = useEffectEvent(handle);
  const commandFor = useEffectEvent((pressed: Omit<Pressed, 'characters'>) => commandOf({ ...pressed, characters }));
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event)) return;
      const { key, shiftKey: shift, ctrlKey, metaKey, altKey, target } = event;
      const command = commandFor({ key, shift, chorded: ctrlKey || metaKey || altKey, place: placeOf(target) });
      if (command !== null && onCommand(command)) event.preventDefault();
    };
    // Capture phase: when the event bubbles, the key may already have closed a dialog, and the list would use the same key.
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

function placeOf(target: EventTarget | null): Pressed['place'] {
  if (!(target instanceof Element) || target === document.body || target.id === 'content') return 'page';
  // An open dialog or menu has the focus.
  if (target.closest(OVERLAYS) !== null) return 'overlay';
  if (target.matches(FIELDS)) return 'field';
  return target.matches('[data-order]') ? 'row' : 'control';
}
