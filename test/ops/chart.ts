import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { good, runDir, tool } from '../../deploy/tools/fixtures/ops-tools.js';

export const CHART = 'deploy/helm/po-collaboration';

/** What is rendered by nothing but the chart, and by each file of values that comes with it. */
const RENDERINGS = {
  default: [],
  dev: ['values-dev.yaml'],
  prod: ['values-prod.yaml'],
  everything: ['values-everything.yaml'],
} as const satisfies Record<string, readonly string[]>;
/** Digests as of a release: values-prod.yaml is refused without. */
const RELEASE = 'test/ops/release.yaml';
export type Rendering = keyof typeof RENDERINGS;
export const NAMES = Object.keys(RENDERINGS) as Rendering[];

export const NAMESPACE = 'purchase-orders';

/** The files of values of a rendering, by their paths in the repository. */
export const filesOf = (rendering: Rendering, chart = CHART): string[] => [
  ...RENDERINGS[rendering].map((file) => join(chart, file)),
  ...(rendering === 'prod' ? [RELEASE] : []),
];

/** The arguments that make helm read this rendering's values. */
export const valuesOf = (rendering: Rendering, chart = CHART): string[] =>
  filesOf(rendering, chart).flatMap((file) => ['--values', file]);

/** All that the chart renders, as text. */
export const rendered = (rendering: Rendering, chart = CHART, args: readonly string[] = []): Promise<string> =>
  good('helm', ['template', 'po', chart, '--namespace', NAMESPACE, ...valuesOf(rendering, chart), ...args]);

/** The parts of an object in a cluster that the tests look at. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    /** Of what an API server has. */
    uid?: string;
    namespace?: string;
    labels: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // The rest is read by what its kind has.
  [member: string]: any;
}

export const resourcesIn = (text: string): Resource[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);

/** What is wrong with a chart, in the words of the tools, whatever it renders; nothing if it is good. */
export async function* faultsOf(chart: string): AsyncGenerator<string> {
  for (const [name, args] of CHECKS(chart)) {
    const { code, text } = await tool(name, args);
    if (code !== 0) yield `${name} ${args.join(' ')}:\n${text}`;
  }
  for (const rendering of NAMES) {
    const file = join(runDir(), `${rendering}-${randomUUID()}.yaml`);
    await writeFile(file, await rendered(rendering, chart));
    const { code, text } = await tool('kubernetes-validate', [...SCHEMAS, file]);
    if (code !== 0) yield `kubernetes-validate of the ${rendering} rendering:\n${text}`;
    yield* unknownKinds(text);
  }
}

/** It only warns where it has no schema: right for resources that others define, and wrong for Kubernetes' own. */
function unknownKinds(text: string): string[] {
  const warnings = text.split('\n').filter((line) => line.includes("Couldn't find schema"));
  return warnings.filter((line) => !CUSTOM.some((group) => line.includes(`api version ${group}/`)));
}

/** The chart's own tests, and what helm says of it. */
const CHECKS = (chart: string): (readonly [name: string, args: readonly string[]])[] => [
  ...NAMES.map((rendering) => ['helm', ['lint', '--strict', chart, ...valuesOf(rendering, chart)]] as const),
  ['helm-unittest', ['--file', 'tests/*_test.yaml', chart]],
];

const CUSTOM = ['keda.sh', 'monitoring.coreos.com'];

/** As strict as an API server: nothing that it does not know. */
const SCHEMAS = ['--strict', '--quiet', '--kubernetes-version', '1.34'];
