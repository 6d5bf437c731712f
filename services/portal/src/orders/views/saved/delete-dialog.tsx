import { Button, Modal } from '@mantine/core';
import '../../../theme/mantine-dialog.js';
import type { View } from '../../../api/schemas.js';
import { useReturnFocus } from '../../../components/use-return-focus.js';
import { useTexts } from '../../../language/language.js';
import { VIEWS } from './texts.js';
import { useViewChanges } from './use-view-changes.js';
import classes from '../../dialog.module.css';

/** Asks before a view of somebody else is deleted: it could only be brought back as one's own. */
export default function DeleteDialog({
  view,
  views,
  close,
}: {
  view: View;
  views: readonly View[];
  close: () => void;
}) {
  useReturnFocus();
  const texts = useTexts(VIEWS);
  const { remove } = useViewChanges();
  return (
    <Modal
      opened
      onClose={close}
      size={400}
      closeButtonProps={{ 'aria-label': texts.cancel }}
      title={texts.removeTitle(view.name)}
    >
      <p className={classes.text}>{texts.removeOthers(view.ownerName ?? texts.somebody)}</p>
      <div className={classes.buttons}>
        <Button variant="default" data-autofocus onClick={close}>
          {texts.cancel}
        </Button>
        <Button
          className={classes.danger}
          onClick={() => {
            void remove(view, views, false);
            close();
          }}
        >
          {texts.remove}
        </Button>
      </div>
    </Modal>
  );
}
