import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runTool, runDir, tryTool } from '../../deploy/tools/fixtures/ops-tools.js';

export const CHART = 'deploy/helm/po-collaboration';

/** Values files by rendering. The default rendering uses only the values of the chart. */
const RENDERINGS = {
  default: [],
  dev: ['values-dev.yaml'],
  prod: ['values-prod.yaml'],
  everything: ['values-everything.yaml'],
} as const satisfies Record<string, readonly string[]>;
/** Digests like those of a release, without which values-prod.yaml is refused. */
const RELEASE = 'test/ops/release.yaml';
export type Rendering = keyof typeof RENDERINGS;
export const NAMES = Object.keys(RENDERINGS) as Rendering[];

export const NAMESPACE = 'purchase-orders';

/** Values files of a rendering, as paths in the repository. */
export const filesOf = (rendering: Rendering, chart = CHART): string[] => [
  ...RENDERINGS[rendering].map((file) => join(chart, file)),
  ...(rendering === 'prod' ? [RELEASE] : []),
];

/** Helm arguments with the values files of a rendering. */
export const valuesOf = (rendering: Rendering, chart = CHART): string[] =>
  filesOf(rendering, chart).flatMap((file) => ['--values', file]);

/** All objects that the chart renders, as YAML. */
export const rendered = (rendering: Rendering, chart = CHART, args: readonly string[] = []): Promise<string> =>
  runTool('helm', ['template', 'po', chart, '--namespace', NAMESPACE, ...valuesOf(rendering, chart), ...args]);

/** The parts of a Kubernetes object that the tests read. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    /** Set on objects read from an API server. */
    uid?: string;
    namespace?: string;
    labels: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // The other members depend on the kind.
  [member: string]: any;
}

export const resourcesIn = (text: string): Resource[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);

/** Faults that linter and unit tests of a chart report. */
export async function* lintFaultsOf(chart: string): AsyncGenerator<string> {
  for (const [name, args] of CHECKS(chart)) {
    const { code, text } = await tryTool(name, args);
    if (code !== 0) yield `${name} ${args.join(' ')}:\n${text}`;
  }
}

/** Objects of a chart, in any rendering, that do not fit the schemas of Kubernetes. */
export async function* schemaFaultsOf(chart: string): AsyncGenerator<string> {
  for (const rendering of NAMES) {
    const file = join(runDir(), `${rendering}-${randomUUID()}.yaml`);
    await writeFile(file, await rendered(rendering, chart));
    const { code, text } = await tryTool('kubernetes-validate', [...SCHEMAS, file]);
    if (code !== 0) yield `kubernetes-validate of the ${rendering} rendering:\n${text}`;
    yield* unknownKinds(text);
  }
}

/** The tool only warns if it has no schema for a kind. This is right for custom resources and wrong for kinds of Kubernetes itself. */
function unknownKinds(text: string): string[] {
  const warnings = text.split('\n').filter((line) => line.includes("Couldn't find schema"));
  return warnings.filter((line) => !CUSTOM.some((group) => line.includes(`api version ${group}/`)));
}

/** Lint of every rendering, and the chart's own tests. */
const CHECKS = (chart: string): (readonly [name: string, args: readonly string[]])[] => [
  ...NAMES.map((rendering) => ['helm', ['lint', '--strict', chart, ...valuesOf(rendering, chart)]] as const),
  ['helm-unittest', ['--file', 'tests/*_test.yaml', chart]],
];

const CUSTOM = ['keda.sh', 'monitoring.coreos.com'];

/** As strict as an API server: refuses unknown fields. */
const SCHEMAS = ['--strict', '--quiet', '--kubernetes-version', '1.34'];
