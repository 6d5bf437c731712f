import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api.js';
import { KEYS } from '../../../api/keys.js';
import type { View, ViewRequest } from '../../../api/schemas.js';
import { createView, deleteView, replaceView, requestOf } from '../../../api/views.js';
import { isOutdated } from '../../../api/writes.js';
import { reasonOf } from '../../../components/loading-and-errors/problem-kind.js';
import { STATES } from '../../../components/loading-and-errors/texts.js';
import { useTexts } from '../../../language/language.js';
import { useStored } from '../../../storage/use-stored.js';
import { VIEWS } from './texts.js';
import { DEFAULT_VIEW, VIEW_ORDER } from '../use-views.js';
import { offerUndo } from './view-deleted.js';
import { readIds } from '../views.js';

/** Changes saved views, and reads all of them again afterwards. */
export function useViewChanges() {
  const { client } = useApi();
  const cache = useQueryClient();
  const texts = useTexts(VIEWS);
  const states = useTexts(STATES);
  const [, changeOrder] = useStored(VIEW_ORDER, readIds);
  const [, changeDefault] = useStored(DEFAULT_VIEW, readIds);
  const again = () => cache.invalidateQueries({ queryKey: KEYS.views });
  const showError = (name: string, error: unknown) =>
    notifications.show({
      color: 'red',
      title: texts.failed(name),
      message: isOutdated(error) ? texts.outdated : reasonOf(error, states),
      autoClose: false,
    });

  /** Creates a view if `view` is null; otherwise replaces it. Rejects if the API refuses. */
  const save = async (view: View | null, request: ViewRequest): Promise<View> => {
    try {
      return await (view ? replaceView(client, view, request) : createView(client, request));
    } finally {
      await again();
    }
  };

  const restore = async (view: View) => {
    try {
      const { id } = await createView(client, requestOf(view));
      // The restored view has a new id in the API, but for the user it is the same view.
      const renew = (ids: readonly string[]) => ids.map((one) => (one === view.id ? id : one));
      changeOrder(renew);
      changeDefault(renew);
    } catch (error) {
      showError(view.name, error);
    } finally {
      await again();
    }
  };

  return {
    save,

    /** Reports errors to the user. */
    update: (view: View, request: ViewRequest) =>
      save(view, request).catch((error: unknown) => showError(view.name, error)),

    /** Deletes a view; the user's own views can be restored. `all`: all views in their current order. */
    remove: async (view: View, all: readonly View[], byKeyboard: boolean) => {
      try {
        await deleteView(client, view.id);
        changeOrder(() => all.map(({ id }) => id));
        if (view.mine) offerUndo({ name: view.name, byKeyboard, restore: () => void restore(view) });
      } catch (error) {
        showError(view.name, error);
      } finally {
        await again();
      }
    },
  };
}
