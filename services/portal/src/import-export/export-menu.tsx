import { Button, Loader, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { OrdersQuery } from '../api/schemas.js';
import type { FileFormat } from '../api/writes.js';
import { useFormats, useTexts } from '../language/language.js';
import { EXPORT } from './export-texts.js';
import type { FileRequest } from './export-file.js';
import { useExport } from './use-export.js';

const LEVELS: readonly FileRequest['level'][] = ['orders', 'lines'];
export const KINDS: readonly FileFormat[] = ['xlsx', 'csv'];

/** Menu that exports all orders that match the query. `isSelection`: these are selected orders. */
export function ExportMenu(props: { query: OrdersQuery; isSelection?: boolean; disabled?: boolean }) {
  const { query, isSelection = false, disabled = false } = props;
  const size = isSelection ? 'sm' : undefined;
  const texts = useTexts(EXPORT);
  const formats = useFormats();
  const { received, run, stop } = useExport();
  if (received !== null) {
    return (
      <Button size={size} variant="default" leftSection={<Loader size={14} />} onClick={stop}>
        <span role="status">{received === 0 ? texts.running : texts.received(formats.quantity(received))}</span>&nbsp;
        {texts.cancel}
      </Button>
    );
  }
  return (
    <Menu>
      <Menu.Target>
        <Button size={size} variant="default" leftSection={<IconDownload size={16} aria-hidden />} disabled={disabled}>
          {isSelection ? texts.selected : texts.title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {LEVELS.map((level) => [
          <Menu.Label key={level}>{texts[level]}</Menu.Label>,
          ...KINDS.map((format) => (
            <Menu.Item key={`${level} ${format}`} onClick={() => void run({ query, format, level })}>
              {texts[format]}
            </Menu.Item>
          )),
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}
