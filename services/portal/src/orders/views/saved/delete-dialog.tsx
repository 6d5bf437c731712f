import type { View } from '../../../api/schemas.js';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.js';
import { useTexts } from '../../../language/language.js';
import { VIEWS } from './texts.js';
import { useViewChanges } from './use-view-changes.js';

/** Asks before a view of somebody else is deleted: it could only be brought back as one's own. */
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
