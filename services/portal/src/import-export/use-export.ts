import { useRef, useState } from 'react';
import { useApi } from '../api/api.js';
import { useLanguage } from '../language/language.js';
import { type FileRequest, exportFile } from './export-file.js';

/** Has a file made, of which it tells how much is there: kilobytes; null while none is made. It goes on when the page is left. */
export function useExport() {
  const { language } = useLanguage();
  const { writes } = useApi();
  const [received, setReceived] = useState<number | null>(null);
  const stopper = useRef<AbortController>(undefined);

  const run = async (wanted: FileRequest) => {
    const { signal } = (stopper.current = new AbortController());
    setReceived(0);
    const told = (bytes: number) => setReceived(Math.round(bytes / 1000));
    try {
      await exportFile(wanted, writes, language, { signal, received: told });
    } finally {
      setReceived(null);
    }
  };
  return { received, run, stop: () => stopper.current?.abort() };
}
