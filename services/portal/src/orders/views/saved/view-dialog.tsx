import { Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { View } from '../../../api/schemas.js';
import { useRole } from '../../../api/api.js';
import { MAX_VIEWS, MAX_VIEW_NAME } from '@po/contracts/constants';
import { isOutdated } from '../../../api/writes.js';
import { ProblemLine } from '../../../components/loading-and-errors/states.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { useFormats, useTexts } from '../../../language/language.js';
import type { OrdersSearch } from '../../filters/search.js';
import { nameOf, queryTextsOf } from './edits.js';
import { VIEWS } from './texts.js';
import { useViewChanges } from './use-view-changes.js';
import type { ShownList } from '../use-views.js';
import dialog from '../../../theme/dialog.module.css';
import classes from '../../dialog.module.css';

/** Asks for the name and sharing of a view. `view`: the view to edit; null to save the current list as a new view. */
export default function ViewDialog(props: {
  view: View | null;
  views: readonly View[];
  list: ShownList;
  close: () => void;
}) {
  const { view: edited, views, list, close } = props;
  const texts = useTexts(VIEWS);
  const { quantity } = useFormats();
  const navigate = useNavigate();
  const role = useRole();
  const { save } = useViewChanges();
  const [text, setText] = useState(edited?.name ?? '');
  const [chosen, choose] = useState<boolean | null>(edited?.shared ?? null);
  const name = nameOf(text, MAX_VIEW_NAME);
  const own = views.filter(({ mine }) => mine);
  const namesake = own.find((one) => one.name === name && one.id !== edited?.id);
  // The current version: after a 412 the newer version has been read.
  const present = edited ? views.find(({ id }) => id === edited.id) : namesake;
  const shared = chosen ?? present?.shared ?? false;
  const isTaken = edited !== null && edited.mine && namesake !== undefined;
  const isFull = edited === null && namesake === undefined && own.length >= MAX_VIEWS;
  const isGone = edited !== null && present === undefined;
  const saving: UseMutationResult<View, Error, void> = useMutation({
    mutationFn: () => {
      // The version that the user saw; after the notice of a newer version, the newer one.
      const base = (isOutdated(saving.error) ? present : (edited ?? present)) ?? null;
      const shown = { query: queryTextsOf(list.search), columns: [...list.columns] };
      const { query, columns }: Pick<View, 'query' | 'columns'> = edited && base ? base : shown;
      return save(base, { name, query, columns, shared });
    },
  });
  const onSuccess = ({ id }: View) => {
    close();
    if (edited) return;
    const search = (now: OrdersSearch): OrdersSearch => ({ ...now, view: id });
    void navigate({ to: '/orders', search: (now) => search(now as OrdersSearch), replace: true });
  };
  const maySave = name !== '' && !isFull && !isTaken && !isGone && !saving.isPending;
  const note = isFull
    ? texts.full(quantity(MAX_VIEWS))
    : isTaken
      ? texts.taken
      : namesake && !edited
        ? texts.replaces
        : edited
          ? undefined
          : texts.note;
  return (
    <Dialog onClose={close} size={400} closeLabel={texts.cancel} title={edited ? texts.editTitle : texts.saveTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // `onSuccess` does not run if the user has closed the dialog or left the list in the meantime.
          if (maySave) saving.mutate(undefined, { onSuccess });
        }}
      >
        <TextInput
          data-autofocus
          label={texts.name}
          value={text}
          maxLength={MAX_VIEW_NAME}
          description={note}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Checkbox
          mt="md"
          label={texts.share}
          description={role === 'VENDOR' ? texts.shareVendor : texts.shareInternal}
          checked={shared}
          onChange={({ currentTarget }) => choose(currentTarget.checked)}
        />
        {isGone ? (
          <p role="alert" className={classes.notice}>
            {texts.gone}
          </p>
        ) : isOutdated(saving.error) ? (
          <p role="alert" className={classes.notice}>
            {texts.newer}
          </p>
        ) : (
          saving.error && <ProblemLine error={saving.error} />
        )}
        <div className={dialog.buttons}>
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
          <Button type="submit" disabled={!maySave} loading={saving.isPending}>
            {texts.keep}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
