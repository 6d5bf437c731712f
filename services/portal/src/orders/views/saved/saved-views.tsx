import { ActionIcon, Menu, VisuallyHidden } from '@mantine/core';
import { IconDots, IconUsers } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type DragEvent, lazy, useState } from 'react';
import type { View } from '../../../api/schemas.js';
import { AsyncBoundary } from '../../../components/loading-and-errors/states.js';
import { useFormats, useTexts } from '../../../language/language.js';
import { useStored } from '../../../storage/use-stored.js';
import { ListMenu } from '../../list-menu.js';
import { moved, queryTextsOf, splitViews } from './edits.js';
import { VIEWS } from './texts.js';
import { DEFAULT_VIEW, type ShownList, VIEW_ORDER } from '../use-views.js';
import { ViewLink } from '../view-link.js';
import { addressOf, isModified, readIds, searchOf } from '../views.js';
import { useRole } from '../../../api/api.js';
import { requestOf } from '../../../api/views.js';
import { useViewChanges } from './use-view-changes.js';
import classes from './saved.module.css';
import styles from '../../../theme/text.module.css';

const ViewDialog = lazy(() => import('./view-dialog.js'));
const DeleteDialog = lazy(() => import('./delete-dialog.js'));

const DRAGGED = 'application/x-po-view';

/** Saved views in the user's order, and the dialog to name a new one. */
export default function SavedViews(props: {
  views: readonly View[];
  open: View | undefined;
  list: ShownList;
  /** Whether the current list is being saved as a view. */
  isNaming: boolean;
  endNaming: () => void;
}) {
  const { views, open, list, isNaming, endNaming } = props;
  const texts = useTexts(VIEWS);
  const { quantity } = useFormats();
  const [, changeOrder] = useStored(VIEW_ORDER, readIds);
  const [over, setOver] = useState<string | null>(null);
  const [announcement, announce] = useState('');
  const [asking, ask] = useState<{ view: View; what: 'edit' | 'delete' } | null>(null);
  const { inBar, inMenu } = splitViews(views, open?.id);
  const move = (id: string, to: number) => {
    const ids = views.map((view) => view.id);
    changeOrder(() => moved(ids, id, to));
    const name = views.find((view) => view.id === id)?.name ?? '';
    announce(texts.place(name, quantity(to + 1), quantity(ids.length)));
  };
  const dragOver = (event: DragEvent, view: View) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setOver(view.id);
  };
  const close = () => ask(null);
  return (
    <>
      {inBar.map((view) => (
        <span
          key={view.id}
          className={classes.savedView}
          data-over={over === view.id || undefined}
          // The link inside is draggable by default.
          onDragStart={(event) => event.dataTransfer.setData(DRAGGED, view.id)}
          onDragOver={(event) => dragOver(event, view)}
          onDragLeave={() => setOver(null)}
          onDragEnd={() => setOver(null)}
          onDrop={(event) => {
            const id = event.dataTransfer.getData(DRAGGED);
            if (id === '') return;
            event.preventDefault();
            setOver(null);
            move(id, views.indexOf(view));
          }}
        >
          <ViewLink
            view={searchOf(view)}
            search={list.search}
            name={view.name}
            isOpen={view === open}
            title={titleOf(view, texts)}
            mark={view.shared && <SharedMark view={view} />}
          />
          <ViewMenu
            view={view}
            views={views}
            isOpen={view === open}
            list={list}
            move={(to) => move(view.id, to)}
            ask={(what) => ask({ view, what })}
          />
        </span>
      ))}
      {inMenu.length > 0 && <Further views={inMenu} list={list} />}
      <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
      {isNaming && (
        <AsyncBoundary>
          <ViewDialog view={null} views={views} list={list} close={endNaming} />
        </AsyncBoundary>
      )}
      {asking !== null && (
        <AsyncBoundary>
          {asking.what === 'edit' ? (
            <ViewDialog view={asking.view} views={views} list={list} close={close} />
          ) : (
            <DeleteDialog view={asking.view} views={views} close={close} />
          )}
        </AsyncBoundary>
      )}
    </>
  );
}

type Texts = (typeof VIEWS)['en'];

const sharedBy = ({ mine, ownerName }: View, texts: Texts): string =>
  mine ? texts.shared : texts.sharedBy(ownerName ?? texts.somebody);

const titleOf = (view: View, texts: Texts): string =>
  view.shared ? `${view.name} – ${sharedBy(view, texts)}` : view.name;

function SharedMark({ view }: { view: View }) {
  return <IconUsers size={12} role="img" aria-label={sharedBy(view, useTexts(VIEWS))} className={classes.shared} />;
}

/** Menu of the views that do not fit in the bar. */
function Further({ views, list }: { views: readonly View[]; list: ShownList }) {
  const texts = useTexts(VIEWS);
  const { quantity } = useFormats();
  const navigate = useNavigate();
  return (
    <ListMenu quiet label={texts.further(quantity(views.length))}>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          title={titleOf(view, texts)}
          leftSection={view.shared && <SharedMark view={view} />}
          onClick={() => void navigate({ to: '/orders', search: addressOf(searchOf(view), list.search) })}
        >
          {view.name}
        </Menu.Item>
      ))}
    </ListMenu>
  );
}

function ViewMenu(props: {
  view: View;
  /** All saved views, in the user's order. */
  views: readonly View[];
  isOpen: boolean;
  list: ShownList;
  move: (to: number) => void;
  ask: (what: 'edit' | 'delete') => void;
}) {
  const { view, views, isOpen, list, move, ask } = props;
  const texts = useTexts(VIEWS);
  const { update, remove } = useViewChanges();
  const [byDefault, changeDefault] = useStored(DEFAULT_VIEW, readIds);
  const { search, columns } = list;
  const role = useRole();
  const mayChange = view.mine || role === 'ADMIN';
  const hasChanges = isOpen && mayChange && isModified(view, search, columns);
  const isDefault = byDefault.includes(view.id);
  const at = views.indexOf(view);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size="xs" aria-label={texts.more(view.name)}>
          <IconDots size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!view.mine && <Menu.Label>{texts.sharedBy(view.ownerName ?? texts.somebody)}</Menu.Label>}
        {hasChanges && (
          <Menu.Item
            onClick={() =>
              void update(view, { ...requestOf(view), query: queryTextsOf(search), columns: [...columns] })
            }
          >
            {texts.update}
          </Menu.Item>
        )}
        {mayChange && <Menu.Item onClick={() => ask('edit')}>{texts.edit}</Menu.Item>}
        <Menu.CheckboxItem checked={isDefault} onChange={() => changeDefault(() => (isDefault ? [] : [view.id]))}>
          {texts.byDefault}
        </Menu.CheckboxItem>
        <Menu.Item disabled={at === 0} onClick={() => move(at - 1)}>
          {texts.earlier}
        </Menu.Item>
        <Menu.Item disabled={at === views.length - 1} onClick={() => move(at + 1)}>
          {texts.later}
        </Menu.Item>
        {mayChange && (
          <Menu.Item
            className={styles.danger}
            // A click by keyboard has a click count (`detail`) of 0.
            onClick={({ detail }) => (view.mine ? void remove(view, views, detail === 0) : ask('delete'))}
          >
            {texts.remove}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
