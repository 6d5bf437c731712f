import type { Page } from '../http/pages.js';
import { eventsPages } from './events-page.js';
import { guidePage } from './guide-page.js';
import { STYLESHEET } from './layout.js';
import { problemPages } from './problem-pages.js';
import { referencePages } from './reference-page.js';

/** Pages that explain the API and the topics to developers of clients, and their assets; none unless `wanted`. */
export const documentationPages = (wanted: boolean): Page[] =>
  wanted ? [STYLESHEET, guidePage(), ...referencePages(), ...eventsPages(), ...problemPages()] : [];
