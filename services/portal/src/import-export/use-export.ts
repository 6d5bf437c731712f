import { useRef, useState } from 'react';
import { useApi } from '../api/api.js';
import { useFocusFallback } from '../components/dialogs/use-return-focus.js';
import { useLanguage } from '../language/language.js';
import { type FileRequest, exportFile } from './export-file.js';

/** Exports to a file. `received`: kilobytes so far; null if no export is running. The export continues after the page is left. */
export function useExport() {
  const { language } = useLanguage();
  const { writes } = useApi();
  const [received, setReceived] = useState<number | null>(null);
  const stopper = useRef<AbortController>(undefined);
  // The button that starts the export is replaced by one that cancels it, and vice versa.
  useFocusFallback(String(received === null));

  const run = async (wanted: FileRequest) => {
    const { signal } = (stopper.current = new AbortController());
    setReceived(0);
    const onBytes = (bytes: number) => setReceived(Math.round(bytes / 1000));
    try {
      await exportFile(wanted, writes, language, { signal, received: onBytes });
    } finally {
      setReceived(null);
    }
  };
  return { received, run, stop: () => stopper.current?.abort() };
}
