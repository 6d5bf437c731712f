import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '../language/language.js';
import { SHEET } from './sheet-texts.js';
import classes from './overlay.module.css';

let waiting: File[] | null = null;

/** Passes files that were dropped on another page to the import page, because the browser history cannot hold files. */
function passDroppedFiles(files: File[]): void {
  waiting = files;
}

/** Returns the files once; null if there are none. */
export function takeDroppedFiles(): File[] | null {
  const taken = waiting;
  waiting = null;
  return taken;
}

/** Takes files dropped on the page of an order to the import page for that order. */
export function OrderDrop({ poRef }: { poRef: string }) {
  const navigate = useNavigate();
  const take = (files: File[]) => {
    passDroppedFiles(files);
    void navigate({ to: '/import', search: { order: poRef } });
  };
  return useFileDrop(take, true) ? <DropOverlay /> : null;
}

/** Overlay while a file is dragged over the page: it can be dropped anywhere. */
export function DropOverlay() {
  const { over } = useTexts(SHEET);
  return (
    <div className={classes.overlay} role="status">
      <IconFileSpreadsheet size={20} aria-hidden />
      {over}
    </div>
  );
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Calls `take` with files dropped anywhere on the page. Returns whether files are being dragged over it. */
export function useFileDrop(take: (files: File[]) => void, isOpen: boolean): boolean {
  const [isOver, setOver] = useState(false);
  const taken = useEffectEvent(take);
  useEffect(() => {
    if (!isOpen) return;
    /** Number of entered elements that the drag has not left: the next element is entered before the previous one is left. */
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (hasFiles(event)) setOver((depth += 1) > 0);
    };
    const leave = (event: DragEvent) => {
      if (hasFiles(event)) setOver((depth = Math.max(0, depth - 1)) > 0);
    };
    const over = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      // Otherwise the browser would open the file in place of the page.
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
