import { Button, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useIsStorageFull } from '../../storage/use-stored.js';
import { useFormats, useTexts } from '../../language/language.js';
import { keepAbove } from '../../components/above-bar.js';
import { ProblemLine } from '../../components/loading-and-errors/problem.js';
import { useFocusKept } from '../../components/dialogs/use-return-focus.js';
import { focusNotice } from '../conflict/conflict-notice.js';
import { useCells } from './cells.js';
import { leadToField } from '../fields/use-header-edit.js';
import { ChangesByOthers } from './changes-by-others.js';
import { EDIT } from './texts.js';
import { type OrderEdit, type Typing, useOrderEdit } from './use-order-edit.js';
import classes from './edit.module.css';

/** Above the page, wherever one types in it: what is not saved, and what is in its way. */
export function SaveBar({ typing }: { typing: Typing }) {
  const { head, saving } = typing;
  const edit = useOrderEdit(typing);
  const texts = useTexts(EDIT);
  const { quantity } = useFormats();
  const isFull = useIsStorageFull();
  const { savable, unsaved, obstacle } = edit;
  const save = () => void edit.save();
  useHotkeys([['mod+S', save]], []);
  const isShown = unsaved > 0 || saving.isPending;
  // The button that was used goes with what it was for.
  useFocusKept(`${isShown} ${head.merge.conflicts.length} ${head.merge.changes.length}`);
  // What the API says of single fields stands beside them.
  const error = Object.keys(head.errors).length === 0 ? saving.error : null;
  return (
    <div ref={keepAbove} className={classes.stack}>
      <ChangesByOthers head={head} />
      {isShown && (
        <section className={classes.bar} aria-label={texts.title}>
          {error && <ProblemLine error={error} />}
          {isFull && <p className={classes.full}>{texts.full}</p>}
          <div className={classes.row}>
            <span className={classes.count}>{texts.unsaved(quantity(unsaved), unsaved === 1)}</span>
            <span className={classes.hint}>
              {saving.isPaused ? (
                texts.paused
              ) : savable > 0 && obstacle ? (
                <InTheWay edit={edit} />
              ) : (
                savable < unsaved && (savable > 0 ? texts.partly : texts.locked)
              )}
            </span>
            <Button size="sm" variant="default" onClick={edit.discard} disabled={saving.isPending}>
              {texts.discard}
            </Button>
            {savable > 0 && (
              <Button
                size="sm"
                title={texts.keys}
                loading={saving.isPending}
                disabled={obstacle !== null}
                onClick={save}
              >
                {texts.save}
              </Button>
            )}
          </div>
        </section>
      )}
      <VisuallyHidden role="status">
        {saving.isPending ? texts.saving : saving.isSuccess && unsaved === 0 && texts.saved}
      </VisuallyHidden>
    </div>
  );
}

/** What is to be done before it can be saved, and the way there. `leave`: what is in front of the page. */
export function InTheWay({ edit, leave }: { edit: OrderEdit; leave?: () => void }) {
  const { obstacle, faulty } = edit;
  const texts = useTexts(EDIT);
  const { leadTo } = useCells();
  const [field] = faulty.fields;
  const [cell] = faulty.cells;
  if (obstacle === null) return null;
  const show = () => {
    leave?.();
    // Once what is in front of the page has given the focus back.
    if (obstacle !== 'faulty') requestAnimationFrame(focusNotice);
    else if (field !== undefined) requestAnimationFrame(() => leadToField(field));
    else if (cell !== undefined) leadTo(cell);
  };
  return (
    <span className={classes.obstacle}>
      {obstacle === 'faulty'
        ? texts.faulty(faulty.fields.length + faulty.cells.length)
        : texts[obstacle === 'conflict' && leave === undefined ? 'above' : obstacle]}
      {(obstacle === 'faulty' || leave !== undefined) && obstacle !== 'loading' && (
        <Button size="xs" variant="subtle" onClick={show}>
          {texts.show}
        </Button>
      )}
    </span>
  );
}
