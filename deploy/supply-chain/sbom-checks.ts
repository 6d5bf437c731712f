import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { bundledIn } from './bundled.js';
import { noticesOf } from './production-tree.js';

const SCHEMAS = join(
  dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
  'res/schema',
);

interface Bom {
  components: {
    group?: string;
    name: string;
    version: string;
    licenses?: object[];
    hashes?: object[];
    purl?: string;
  }[];
}

const schema = (name: string): object =>
  JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;

let compiled: ValidateFunction | null = null;

/** The compiled schema, cached because compiling takes a second. */
function validator(): ValidateFunction {
  if (compiled) return compiled;
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { 'iri-reference': true, 'idn-email': true } });
  formats.default(ajv);
  // Registered under the URLs with which the main schema refers to them, which differ from their own ids.
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return (compiled = ajv.compile(schema('bom-1.6')));
}

/** Errors of a bill of materials according to the CycloneDX 1.6 schema. */
export function schemaProblems(bom: string): string[] {
  const validate = validator();
  validate(JSON.parse(bom));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Differences between a tree and its bill of materials, and entries without licence or hash. */
export function sbomProblems(bom: string, tree: string): string[] {
  const { components } = JSON.parse(bom) as Bom;
  const foreign = components.filter(({ purl }) => purl !== undefined);
  const named = new Set(foreign.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`));
  const installed = installedIn(tree);
  return [
    ...[...installed].filter((name) => !named.has(name)).map((name) => `${name} is installed and not listed`),
    ...[...named].filter((name) => !installed.has(name)).map((name) => `${name} is listed and not installed`),
    ...foreign.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => `${name} has no licence`),
    ...foreign.filter(({ hashes = [] }) => hashes.length === 0).map(({ name }) => `${name} has no hash`),
  ];
}

/** All packages that are installed in a tree or bundled in its portal, as name@version. */
function installedIn(tree: string): Set<string> {
  const manifests = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: tree });
  const found = manifests.flatMap((path) => {
    const { name, version } = JSON.parse(readFileSync(join(tree, path), 'utf8')) as { name?: string; version?: string };
    // A nested manifest that only sets the module type has no version.
    return name === undefined || version === undefined || name.startsWith('@po/') ? [] : [`${name}@${version}`];
  });
  return new Set([...found, ...bundledIn(noticesOf(tree)).map(({ name, version }) => `${name}@${version}`)]);
}
