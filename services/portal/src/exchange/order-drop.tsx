import { useNavigate } from '@tanstack/react-router';
import { DropOverlay } from './drop-overlay.js';
import { handOver } from './handed-over.js';
import { useFileDrop } from './use-file-drop.js';

/** Takes a file that is dropped on an order's page to where it is imported into that order. */
export function OrderDrop({ poRef }: { poRef: string }) {
  const navigate = useNavigate();
  const take = (files: File[]) => {
    handOver(files);
    void navigate({ to: '/import', search: { order: poRef } });
  };
  return useFileDrop(take, true) ? <DropOverlay /> : null;
}
