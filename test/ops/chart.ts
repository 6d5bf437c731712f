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
export const filesOf = (rendering: Rendering): string[] => [
  ...RENDERINGS[rendering].map((file) => join(CHART, file)),
  ...(rendering === 'prod' ? [RELEASE] : []),
];

/** Helm arguments with the values files of a rendering. */
export const valuesOf = (rendering: Rendering): string[] => filesOf(rendering).flatMap((file) => ['--values', file]);

/** All objects that the chart renders, as YAML. */
export const rendered = (rendering: Rendering, args: readonly string[] = []): Promise<string> =>
  runTool('helm', ['template', 'po', CHART, '--namespace', NAMESPACE, ...valuesOf(rendering), ...args]);

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

/** Faults that the linter and the chart's own tests report. */
export async function* lintFaults(): AsyncGenerator<string> {
  for (const [name, args] of CHECKS) {
    const { code, text } = await tryTool(name, args);
    if (code !== 0) yield `${name} ${args.join(' ')}:\n${text}`;
  }
}

/** Objects, in any rendering, that do not fit the schemas of Kubernetes. */
export async function* schemaFaults(): AsyncGenerator<string> {
  for (const rendering of NAMES) {
    const file = join(runDir(), `${rendering}-${randomUUID()}.yaml`);
    await writeFile(file, await rendered(rendering));
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
const CHECKS: (readonly [name: string, args: readonly string[]])[] = [
  ...NAMES.map((rendering) => ['helm', ['lint', '--strict', CHART, ...valuesOf(rendering)]] as const),
  ['helm-unittest', ['--file', 'tests/*_test.yaml', CHART]],
];

const CUSTOM = ['keda.sh', 'monitoring.coreos.com'];

/** As strict as an API server: refuses unknown fields. */
const SCHEMAS = ['--strict', '--quiet', '--kubernetes-version', '1.34'];
