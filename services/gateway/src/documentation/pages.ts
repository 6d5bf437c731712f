import type { Page } from '../http/pages.js';
import { guidePage } from './guide-page.js';
import { STYLESHEET } from './layout.js';
import { problemPages } from './problem-pages.js';
import { referencePages } from './reference-page.js';

/** Everything that explains the API to whoever writes a client, and what it is shown with; nothing where that is not wanted. */
export const documentationPages = (wanted: boolean): Page[] =>
  wanted ? [STYLESHEET, guidePage(), ...referencePages(), ...problemPages()] : [];
