import { useEffect, useEffectEvent, useState } from 'react';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Takes files that are dropped anywhere on the page, and says whether some are held above it. */
export function useFileDrop(take: (files: File[]) => void, isOpen: boolean): boolean {
  const [isOver, setOver] = useState(false);
  const taken = useEffectEvent(take);
  useEffect(() => {
    if (!isOpen) return;
    /** Elements that it was entered and not left: the next one is entered before the last one is left. */
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (hasFiles(event)) setOver((depth += 1) > 0);
    };
    const leave = (event: DragEvent) => {
      if (hasFiles(event)) setOver((depth = Math.max(0, depth - 1)) > 0);
    };
    const over = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      // Otherwise the browser opens it instead of the page.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      taken([...(event.dataTransfer?.files ?? [])]);
    };
    const until = new AbortController();
    const { signal } = until;
    addEventListener('dragenter', enter, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('dragover', over, { signal });
    addEventListener('drop', drop, { signal });
    return () => until.abort();
  }, [isOpen]);
  return isOver;
}
