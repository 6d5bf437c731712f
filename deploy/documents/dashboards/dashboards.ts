import { messaging } from './messaging.js';
import { overview } from './overview.js';
import { processes } from './processes.js';
import { stores } from './stores.js';

/** Grafana dashboards as JSON, by path from the root. They are in the chart's folder because Helm reads no other files. */
export const dashboardFiles = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries({ overview, messaging, stores, processes }).map(([name, dashboard]) => [
      `deploy/helm/po-collaboration/files/dashboards/${name}.json`,
      dashboard,
    ]),
  );
