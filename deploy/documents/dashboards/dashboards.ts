import { messaging } from './messaging.js';
import { overview } from './overview.js';
import { processes } from './processes.js';
import { stores } from './stores.js';

/** Dashboards for Grafana, by the names of their files. */
export const DASHBOARDS: Record<string, object> = { overview, messaging, stores, processes };
