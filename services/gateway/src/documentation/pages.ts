import type { Page } from '../http/pages.js';
import { eventsPages } from './events-page.js';
import { guidePage } from './guide-page.js';
import { STYLESHEET } from './layout.js';
import { problemPages } from './problem-pages.js';
import { referencePages } from './reference-page.js';

/** Everything that explains the API and the topics to whoever writes a client, and what it is shown with; nothing where that is not wanted. */
export const documentationPages = (wanted: boolean): Page[] =>
  wanted ? [STYLESHEET, guidePage(), ...referencePages(), ...eventsPages(), ...problemPages()] : [];
