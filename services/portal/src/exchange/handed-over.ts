let waiting: File[] | null = null;

/** Files that were dropped on another page, for the page that imports: the browser's history holds no files. */
export function handOver(files: File[]): void {
  waiting = files;
}

/** They are taken once. */
export function takeHandedOver(): File[] | null {
  const taken = waiting;
  waiting = null;
  return taken;
}
