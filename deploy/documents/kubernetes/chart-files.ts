import { DASHBOARDS } from '../dashboards/dashboards.js';

/** The dashboards as JSON, by their paths from the root. Helm reads nothing outside of the chart's folder. */
export const dashboardFiles = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(DASHBOARDS).map(([name, dashboard]) => [
      `deploy/helm/po-collaboration/files/dashboards/${name}.json`,
      dashboard,
    ]),
  );
