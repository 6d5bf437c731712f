import { messaging } from './messaging.js';
import { overview } from './overview.js';
import { processes } from './processes.js';
import { stores } from './stores.js';

/** Dashboards for Grafana as JSON, by their paths from the root. Helm reads nothing outside of the chart's folder. */
export const dashboardFiles = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries({ overview, messaging, stores, processes }).map(([name, dashboard]) => [
      `deploy/helm/po-collaboration/files/dashboards/${name}.json`,
      dashboard,
    ]),
  );
