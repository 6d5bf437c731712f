import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '../language/language.js';
import { SHEET } from './sheet-texts.js';
import classes from './overlay.module.css';

let waiting: File[] | null = null;

/** Files that were dropped on another page, for the page that imports: the browser's history holds no files. */
function passDroppedFiles(files: File[]): void {
  waiting = files;
}

/** They are taken once. */
export function takeDroppedFiles(): File[] | null {
  const taken = waiting;
  waiting = null;
  return taken;
}

/** Takes a file that is dropped on an order's page to where it is imported into that order. */
export function OrderDrop({ poRef }: { poRef: string }) {
  const navigate = useNavigate();
  const take = (files: File[]) => {
    passDroppedFiles(files);
    void navigate({ to: '/import', search: { order: poRef } });
  };
  return useFileDrop(take, true) ? <DropOverlay /> : null;
}

/** Says above a page that a file may be dropped on it, while one is held there. */
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
