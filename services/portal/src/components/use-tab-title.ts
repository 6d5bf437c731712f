import { useDocumentTitle } from '@mantine/hooks';
import { useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';

/** Sets the title of the browser tab; null keeps it. */
export function useTabTitle(title: string | null): void {
  const { product } = useTexts(TERMS);
  useDocumentTitle(title === null ? '' : `${title} · ${product}`);
}
