import { blockOf } from '@po/testing/documents';

/** A metric as a process tells of it, or as the document does. */
export interface Metric {
  name: string;
  type: string;
  labels: string[];
  meaning: string;
}

const ITEM = /^- `(\w+)` (\w+)(?: by ([^:]+))?: ([\s\S]*?)(?=\n- |\n\n)/gm;

/** The metrics that the document lists. */
export const documentedMetrics = (): Metric[] =>
  [...blockOf('deploy/observability/README.md', 'metrics').matchAll(ITEM)].map(
    ([, name = '', type = '', labels = '', meaning = '']) => ({
      name,
      type,
      meaning: meaning.replaceAll(/\s+/g, ' '),
      labels: [...labels.matchAll(/\w+/g)].map(([label]) => label).toSorted(),
    }),
  );

/** The metrics in an answer of `/metrics`; their labels are those of their series. */
export const metricsIn = (text: string): Metric[] =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)].map(([, name = '', meaning = '', type = '']) => {
    const series = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} \\S+$`, 'gm'))];
    const labels = series.flatMap(([, found = '']) => [...found.matchAll(/(\w+)="/g)].map(([, label = '']) => label));
    return { name, type, meaning, labels: [...new Set(labels)].filter((label) => label !== 'le').toSorted() };
  });

/** What stands for a metric in an expression: of a histogram its parts. */
export const seriesNames = ({ name, type }: Metric): string[] =>
  type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name];
