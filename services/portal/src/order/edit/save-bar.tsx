import { Button, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useIsStorageFull } from '../../storage/use-stored.js';
import { dictionary } from '../../language/dictionary.js';
import { useFormats, useTexts } from '../../language/language.js';
import { trackBarHeight } from '../../components/bar-height.js';
import { ProblemLine } from '../../components/loading-and-errors/states.js';
import { useFocusFallback } from '../../components/dialogs/use-return-focus.js';
import { focusNotice } from '../conflict/conflict-notice.js';
import { useCells } from './cells.js';
import { focusField } from '../fields/use-header-edit.js';
import { ChangesByOthers } from './changes-by-others.js';
import { type OrderEdit, type Typing, useOrderEdit } from './use-order-edit.js';
import classes from './edit.module.css';

const EDIT = dictionary({
  title: ['Unsaved changes', '未保存的更改'],
  unsaved: (count: string, isOne: boolean) => [
    isOne ? '1 unsaved change' : `${count} unsaved changes`,
    `${count} 处更改未保存`,
  ],
  saving: ['Saving…', '正在保存……'],
  paused: ['It will be saved when you are online.', '恢复连接后将自动保存。'],
  saved: ['Saved', '已保存'],
  save: ['Save', '保存'],
  discard: ['Discard', '放弃'],
  keys: ['Ctrl+S', 'Ctrl+S'],
  faulty: (count: number) => [count === 1 ? '1 entry to correct' : `${count} entries to correct`, `${count} 处需更正`],
  show: ['Show', '查看'],
  above: ['Resolve the changes above first.', '请先处理上方的修改。'],
  conflict: ['First resolve what others changed in the meantime.', '请先处理您编辑期间他人所做的修改。'],
  locked: [
    'The order cannot be edited now. What you typed is kept here.',
    '订单目前不可编辑。您输入的内容已保留在这里。',
  ],
  partly: [
    'Only some of it can be saved now. The rest is kept here.',
    '目前只能保存其中一部分，其余内容已保留在这里。',
  ],
  loading: ['The lines are still loading.', '明细仍在加载。'],
  full: [
    'This browser has no space left to keep what you type. Save before you leave.',
    '浏览器已没有空间保留您输入的内容，请在离开前保存。',
  ],
});

/** Floating bar with the unsaved changes and whatever prevents saving them. */
export function SaveBar({ typing }: { typing: Typing }) {
  const { head, saving } = typing;
  const edit = useOrderEdit(typing);
  const texts = useTexts(EDIT);
  const { quantity } = useFormats();
  const isFull = useIsStorageFull();
  const { conflicts } = useCells();
  const { savable, unsaved, obstacle } = edit;
  const save = () => void edit.save();
  useHotkeys([['mod+S', save]], []);
  const isShown = unsaved > 0 || saving.isPending;
  // A clicked button disappears with its notice.
  useFocusFallback(`${isShown} ${head.merge.conflicts.length} ${head.merge.changes.length} ${conflicts.size}`);
  // API errors of single fields are shown beside the fields.
  const error = Object.keys(head.errors).length === 0 ? saving.error : null;
  return (
    <div ref={trackBarHeight} className={classes.stack}>
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
                <ObstacleHint edit={edit} />
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

/** What the user must do before saving, with a button that leads there. `leave`: closes the dialog in front of the page. */
export function ObstacleHint({ edit, leave }: { edit: OrderEdit; leave?: () => void }) {
  const { obstacle, faulty } = edit;
  const texts = useTexts(EDIT);
  const { focusCell } = useCells();
  const [field] = faulty.fields;
  const [cell] = faulty.cells;
  if (obstacle === null) return null;
  const show = () => {
    leave?.();
    // After the closed dialog has returned the focus.
    if (obstacle !== 'faulty') requestAnimationFrame(focusNotice);
    else if (field !== undefined) requestAnimationFrame(() => focusField(field));
    else if (cell !== undefined) focusCell(cell);
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
