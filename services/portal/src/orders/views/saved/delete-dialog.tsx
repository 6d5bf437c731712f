import type { View } from '../../../api/schemas.js';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.js';
import { useTexts } from '../../../language/language.js';
import { VIEWS } from './texts.js';
import { useViewChanges } from './use-view-changes.js';

/** Asks for confirmation before another user's view is deleted, because it could only be restored as the user's own. */
export default function DeleteDialog(props: { view: View; views: readonly View[]; close: () => void }) {
  const { view, views, close } = props;
  const texts = useTexts(VIEWS);
  const { remove } = useViewChanges();
  const cancel = { label: texts.cancel, choose: close };
  const confirm = {
    label: texts.remove,
    choose: () => {
      void remove(view, views, false);
      close();
    },
  };
  return (
    <ConfirmDialog
      title={texts.removeTitle(view.name)}
      text={texts.removeOthers(view.ownerName ?? texts.somebody)}
      answers={[cancel, confirm]}
      isDanger
      close={cancel}
    />
  );
}
