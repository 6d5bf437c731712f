import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { DASHBOARDS } from '../dashboards/dashboards.js';

const SOURCE = 'deploy/observability';
/** Helm reads nothing outside of the chart's folder. */
const COPY = 'deploy/helm/po-collaboration/files';

/** The dashboards as JSON, where people take them from and where the chart does, by their paths from the root. */
export const dashboardFiles = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(DASHBOARDS).flatMap(([name, dashboard]) =>
      [SOURCE, COPY].map((folder) => [`${folder}/dashboards/${name}.json`, dashboard]),
    ),
  );

/** The rules for Prometheus that the chart has, as text, by their path from the root. */
export const chartRules = (): Record<string, string> => ({
  [`${COPY}/alerts.yaml`]: readFileSync(join(REPOSITORY, SOURCE, 'alerts.yaml'), 'utf8'),
});
