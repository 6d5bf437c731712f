import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { View } from '../../../api/schemas.js';
import { useRole } from '../../../api/use-me.js';
import { requestOf } from '../../../api/views.js';
import { useTexts } from '../../../language/language.js';
import { useStored } from '../../../storage/use-stored.js';
import styles from '../../../theme/text.module.css';
import { queryTextsOf } from './edits.js';
import { VIEWS } from './texts.js';
import { useViewChanges } from './use-view-changes.js';
import { DEFAULT_VIEW } from '../use-views.js';
import type { ShownList } from '../use-views.js';
import { isModified, readIds } from '../views.js';

export function ViewMenu(props: {
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
