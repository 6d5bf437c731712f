/** What the address of the page says: the order that a file is for. */
export interface ImportSearch {
  order?: string;
}

export const readImportSearch = (search: Record<string, unknown>): ImportSearch =>
  typeof search.order === 'string' && search.order !== '' ? { order: search.order.toUpperCase() } : {};
