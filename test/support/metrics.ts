import { blockOf } from '@po/testing/documents';

/** A metric as exposed by a process or listed in the document. */
export interface Metric {
  name: string;
  type: string;
  labels: string[];
  meaning: string;
}

const ITEM = /^- `(\w+)` (\w+)(?: by ([^:]+))?: ([\s\S]*?)(?=\n- |\n\n)/gm;

/** Metrics listed in the document. */
export const documentedMetrics = (): Metric[] =>
  [...blockOf('deploy/observability/README.md', 'metrics').matchAll(ITEM)].map(
    ([, name = '', type = '', labels = '', meaning = '']) => ({
      name,
      type,
      meaning: meaning.replaceAll(/\s+/g, ' '),
      labels: [...labels.matchAll(/\w+/g)].map(([label]) => label).toSorted(),
    }),
  );

/** Metrics in a response of `/metrics`; their labels are those of their series. */
export const metricsIn = (text: string): Metric[] =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)].map(([, name = '', meaning = '', type = '']) => {
    const series = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} \\S+$`, 'gm'))];
    const labels = series.flatMap(([, found = '']) => [...found.matchAll(/(\w+)="/g)].map(([, label = '']) => label));
    return { name, type, meaning, labels: [...new Set(labels)].filter((label) => label !== 'le').toSorted() };
  });

/** Series names of a metric in an expression; a histogram has three. */
export const seriesNames = ({ name, type }: Metric): string[] =>
  type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name];
