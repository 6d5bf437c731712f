import { Button, Loader, Menu } from '@mantine/core';
import { ApiProblem } from '@po/client';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.js';
import type { OrdersQuery } from '../api/schemas.js';
import type { FileFormat } from '../api/writes.js';
import type { Formats } from '../language/formats.js';
import { useFormats, useTexts } from '../language/language.js';
import { EXPORT } from './export-texts.js';

type Level = 'orders' | 'lines';
type Texts = (typeof EXPORT)['en'];

const LEVELS: readonly Level[] = ['orders', 'lines'];
const KINDS: readonly FileFormat[] = ['xlsx', 'csv'];

/** All orders that fit the filters, as a file. */
export function ExportMenu({ query, disabled }: { query: OrdersQuery; disabled: boolean }) {
  const texts = useTexts(EXPORT);
  const formats = useFormats();
  const { writes } = useApi();
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const run = async (format: FileFormat, level: Level) => {
    const { signal } = (stop.current = new AbortController());
    setRunning(true);
    // Only who asks for a file needs what says how that went.
    const { notifications } = await import('@mantine/notifications');
    try {
      const file = await writes.exportOrders(query, { format, level }, signal);
      save(file);
      notifications.show({ message: texts.done(file.name) });
    } catch (error) {
      if (!signal.aborted) {
        notifications.show({
          ...{ color: 'red', title: texts.failed, message: reasonOf(error, texts, formats), autoClose: false },
        });
      }
    } finally {
      setRunning(false);
    }
  };

  if (isRunning) {
    return (
      <Button variant="default" leftSection={<Loader size={14} />} onClick={() => stop.current?.abort()}>
        <span role="status">{texts.running}</span>&nbsp;{texts.cancel}
      </Button>
    );
  }
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} disabled={disabled}>
          {texts.title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {LEVELS.map((level) => [
          <Menu.Label key={level}>{texts[level]}</Menu.Label>,
          ...KINDS.map((format) => (
            <Menu.Item
              key={`${level} ${format}`}
              data-autofocus={(level === LEVELS[0] && format === KINDS[0]) || undefined}
              onClick={() => void run(format, level)}
            >
              {texts[format]}
            </Menu.Item>
          )),
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}

function reasonOf(error: unknown, texts: Texts, formats: Formats): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error);
  const rows = error.document?.rows;
  const limit = error.document?.limit;
  if (error.code === 'EXPORT_TOO_LARGE' && typeof rows === 'number' && typeof limit === 'number')
    return texts.tooLarge(formats.quantity(rows), formats.quantity(limit));
  return error.requestId === null ? error.message : `${error.message} (${error.requestId})`;
}

/** As if its user had clicked a link to it. */
function save({ name, content }: { name: string; content: Blob }): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
