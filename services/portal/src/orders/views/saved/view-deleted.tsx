import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useReturnFocus } from '../../../components/dialogs/use-return-focus.js';
import { useTexts } from '../../../language/language.js';
import { VIEWS } from './texts.js';
import classes from '../../dialog.module.css';

/** Long enough to find and click the button. */
const OFFERED_MS = 8000;

/** Toast with an undo button after a view is deleted. It stays while it has the focus or the pointer, or else for some seconds. */
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

/** After deletion by keyboard, the undo button gets the focus, because the menu that had it is gone. */
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
