import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useReturnFocus } from '../../../components/dialogs/use-return-focus.js';
import { useTexts } from '../../../language/language.js';
import { VIEWS } from './texts.js';
import classes from '../../dialog.module.css';

/** Nobody who looks for it is to be late. */
const OFFERED_MS = 8000;

/** Tells that a view is deleted, and offers to have it back; as long as that has the focus or the pointer, or for some seconds. */
export function offerUndo(offer: { name: string; byKeyboard: boolean; restore: () => void }): void {
  const { name, byKeyboard, restore } = offer;
  const id = `view-removed:${name}`;
  const hide = () => notifications.hide(id);
  const undo = () => {
    restore();
    hide();
  };
  const shown = {
    id,
    message: <Offer name={name} byKeyboard={byKeyboard} undo={undo} />,
    onFocusCapture: () => notifications.update({ ...shown, autoClose: false }),
    onBlurCapture: () => notifications.update({ ...shown, autoClose: OFFERED_MS }),
    onKeyDown: ({ key }: { key: string }) => key === 'Escape' && hide(),
  };
  hide();
  notifications.show({ ...shown, autoClose: OFFERED_MS });
}

/** Whoever deleted it by keyboard is one key away from it: the menu where they were went with the view. */
function Offer({ name, byKeyboard, undo }: { name: string; byKeyboard: boolean; undo: () => void }) {
  const texts = useTexts(VIEWS);
  useReturnFocus();
  return (
    <span className={classes.offer}>
      {texts.removed(name)}
      <Button
        size="xs"
        variant="subtle"
        ref={(button) => {
          if (byKeyboard) button?.focus({ preventScroll: true });
        }}
        onClick={undo}
      >
        {texts.undo}
      </Button>
    </span>
  );
}
