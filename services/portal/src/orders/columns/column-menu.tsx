import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { DEFAULT_COLUMNS, COLUMNS, COLUMN_IDS, type ColumnId, FIXED, columnToggled } from './columns.js';
import { ORDERS } from '../texts.js';

export function ColumnMenu(props: {
  chosen: readonly ColumnId[];
  choose: (columns: readonly ColumnId[]) => void;
  isChanged: boolean;
}) {
  const { chosen, choose, isChanged } = props;
  const texts = useTexts(ORDERS);
  const terms = useTexts(TERMS);
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
          {texts.columns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMN_IDS.filter((id) => id !== FIXED).map((id) => (
          <Menu.CheckboxItem key={id} checked={chosen.includes(id)} onChange={() => choose(columnToggled(chosen, id))}>
            {COLUMNS[id].name(terms, texts)}
          </Menu.CheckboxItem>
        ))}
        {isChanged && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => choose(DEFAULT_COLUMNS)}>{texts.allColumns}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
