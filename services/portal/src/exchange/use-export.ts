import { ApiProblem } from '@po/client';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.js';
import type { OrdersQuery } from '../api/schemas.js';
import type { FileFormat } from '../api/writes.js';
import type { Formats } from '../language/formats.js';
import { useFormats, useTexts } from '../language/language.js';
import { EXPORT } from './export-texts.js';

export type Level = 'orders' | 'lines';
type Texts = (typeof EXPORT)['en'];

/** What is to be in a file, and maybe what it is called and what is said of it. */
interface Wanted {
  query: OrdersQuery;
  format: FileFormat;
  level: Level;
  name?: string;
  note?: () => Promise<string | null>;
}

/** Has a file made, downloads it, and says how that went. `received`: kilobytes that are there; null while none is made. */
export function useExport() {
  const texts = useTexts(EXPORT);
  const formats = useFormats();
  const { writes } = useApi();
  const [received, setReceived] = useState<number | null>(null);
  const stopper = useRef<AbortController>(undefined);
  useEffect(() => () => stopper.current?.abort(), []);

  const run = async ({ query, format, level, name, note }: Wanted) => {
    const { signal } = (stopper.current = new AbortController());
    setReceived(0);
    // Only who asks for a file needs what says how that went.
    const { notifications } = await import('@mantine/notifications');
    try {
      const told = (bytes: number) => setReceived(Math.round(bytes / 1000));
      const file = await writes.exportOrders(query, { format, level }, { signal, received: told });
      const saved = name === undefined ? file.name : `${name}.${format}`;
      save(saved, file.content);
      notifications.show({ message: [texts.done(saved), (await note?.()) ?? ''].join(' ').trim() });
    } catch (error) {
      if (!signal.aborted) {
        notifications.show({
          ...{ color: 'red', title: texts.failed, message: reasonOf(error, texts, formats), autoClose: false },
        });
      }
    } finally {
      setReceived(null);
    }
  };
  return { received, run, stop: () => stopper.current?.abort() };
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
function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
