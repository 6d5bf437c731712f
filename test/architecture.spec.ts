import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { isOfTests, textOf } from '@po/testing/documents';
import { SERVICE_NAMES } from '../deploy/local/stack/stack-file.js';
import { LAYERS } from './support/layers.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOP = ['libs', 'services', 'deploy', 'test'];
const LEFT_OUT = new Set(['node_modules', 'dist', '.local', '.venv']);
const DOMAIN = 'services/purchase-orders/src/domain/';
const KAFKAJS = 'libs/messaging/src/kafkajs/';
const CHART = 'deploy/helm/po-collaboration/';
const MAX_LINES = 300;
/** Nobody reads or keeps it by hand. */
const GENERATED = 'libs/client/src/api.ts';
const FOLDERS = ['common', 'shared', 'utils', 'util', 'interfaces', 'dtos', 'core', 'helpers', 'helper', 'misc'];
const NAMES = /(^|[.-])(manager|helper|util|utils|impl|base|dto)\.ts$/;

interface SourceFile {
  /** From the root, with "/". */
  path: string;
  text: string;
  imports: string[];
  isTest: boolean;
}

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });
}

const paths = TOP.flatMap(walk);
const files: SourceFile[] = paths
  .filter((path) => /\.(tsx?|mjs)$/.test(path))
  .map((path) => {
    const text = textOf(path);
    const imports = [
      ...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm),
    ];
    return {
      path,
      text,
      imports: imports.map(([, from, bare, late]) => from ?? bare ?? late ?? ''),
      isTest: isOfTests(path) || /^(test|libs\/testing)\//.test(path),
    };
  });
/** Programs as others write them, who have nothing of this repository. */
const EXAMPLES = 'libs/contracts/examples/';
const product = files.filter(({ path, isTest }) => !isTest && !path.startsWith(EXAMPLES));
const byPath = new Map(files.map((file) => [file.path, file]));

/** The file in this repository that an import means, or null for a package. */
function target({ path }: SourceFile, specifier: string): string | null {
  const tested = /^@po\/testing\/(.+)$/.exec(specifier);
  if (tested) return `libs/testing/src/${tested[1]}.ts`;
  const built = /^@po\/([^/]+)\/dist\/(.+)\.js$/.exec(specifier);
  if (built) return `services/${built[1]}/src/${built[2]}.ts`;
  const own = /^@po\/(.+)$/.exec(specifier);
  if (own) return `libs/${own[1]}/src/index.ts`;
  const alias = /^#(documents|local|supply-chain|tools)\/(.+)\.js$/.exec(specifier);
  if (alias) return `deploy/${alias[1]}/${alias[2]}.ts`;
  if (!specifier.startsWith('.')) return null;
  const to = relative(ROOT, resolve(ROOT, dirname(path), specifier)).replaceAll('\\', '/');
  const written = ['.ts', '.tsx'].map((extension) => to.replace(/\.js$/, extension));
  return written.find((file) => paths.includes(file)) ?? written[0] ?? null;
}

const serviceOf = (path: string): string | undefined => /^services\/([^/]+)\//.exec(path)?.[1];

/** Every import in product code that breaks the rule, as "file imports specifier". */
const offenders = (breaks: (file: SourceFile, specifier: string, to: string | null) => boolean): string[] =>
  product.flatMap((file) =>
    file.imports
      .filter((specifier) => breaks(file, specifier, target(file, specifier)))
      .map((specifier) => `${file.path} imports ${specifier}`),
  );

describe('the tree', () => {
  it('was found', () => {
    expect(product.length).toBeGreaterThan(50);
    expect(product.some(({ imports }) => imports.length > 3)).toBe(true);
  });

  it('a service imports no other service, and a library none', () => {
    const isOther = (path: string, to: string) => serviceOf(to) !== undefined && serviceOf(to) !== serviceOf(path);
    expect(
      offenders(({ path }, _specifier, to) => /^(libs|services)\//.test(path) && to !== null && isOther(path, to)),
    ).toEqual([]);
  });

  it('libs/contracts imports nothing but the schema library', () => {
    expect(
      offenders(
        ({ path }, specifier, to) =>
          path.startsWith('libs/contracts/') && specifier !== 'zod' && !to?.startsWith('libs/contracts/'),
      ),
    ).toEqual([]);
  });

  it("what browsers load of the libraries imports nothing of Node's", () => {
    const loaded = /^libs\/(client|spreadsheets)\/src\//;
    expect(offenders(({ path }, specifier) => loaded.test(path) && isBuiltin(specifier))).toEqual([]);
  });

  it('KafkaJS and its patches are known in libs/messaging/src/kafkajs alone', () => {
    const outside = product.filter(({ path }) => !path.startsWith(KAFKAJS));
    // Also what is required instead of imported, as the patches do.
    expect(outside.filter(({ text }) => /['"`]kafkajs\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('one file chooses the Kafka adapter, and nothing else imports from its folder', () => {
    const outside = files.filter(({ path }) => !path.startsWith(KAFKAJS));
    const importers = outside.filter((file) => file.imports.some((name) => target(file, name)?.startsWith(KAFKAJS)));
    expect(importers.map(({ path }) => path)).toEqual(['libs/messaging/src/connect-kafka.ts']);
  });

  it('a library is imported by its name, never by a path into it', () => {
    expect(
      offenders(
        ({ path }, specifier, to) =>
          specifier.startsWith('.') && to?.startsWith('libs/') === true && !path.startsWith(to.split('/src/')[0] ?? ''),
      ),
    ).toEqual([]);
  });

  it('libraries and services import nothing from test/ or deploy/, and deploy/ nothing from test/, specs included', () => {
    const forbidden = (path: string): RegExp | null =>
      /^(libs|services)\//.test(path) ? /^(test|deploy)\// : path.startsWith('deploy/') ? /^test\// : null;
    const offending = files.flatMap((file) =>
      file.imports
        .filter((specifier) => forbidden(file.path)?.test(target(file, specifier) ?? '') === true)
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(offending).toEqual([]);
  });

  it('@po/testing is imported by subpath, by specs, fixtures, deploy/ and test/ alone', () => {
    const importers = files.filter(({ imports }) => imports.some((specifier) => /^@po\/testing\b/.test(specifier)));
    expect(importers.length).toBeGreaterThan(50);
    const inProduct = importers.filter(({ path, isTest }) => !isTest && !path.startsWith('deploy/'));
    expect(inProduct.map(({ path }) => path)).toEqual([]);
    const missing = importers.flatMap((file) =>
      file.imports.filter((name) => /^@po\/testing\b/.test(name) && !byPath.has(target(file, name) ?? '')),
    );
    expect(missing).toEqual([]);
  });

  it('a package whose files import @po/testing declares it in devDependencies, and nowhere else', () => {
    const packages = new Set(
      files
        .filter(({ imports }) => imports.some((specifier) => specifier.startsWith('@po/testing/')))
        .flatMap(({ path }) => /^(?:libs|services)\/[^/]+/.exec(path)?.[0] ?? []),
    );
    const undeclared = [...packages].filter((folder) => {
      const manifest = JSON.parse(textOf(join(folder, 'package.json'))) as Record<string, object>;
      const declares = (field: string) => '@po/testing' in (manifest[field] ?? {});
      return !declares('devDependencies') || declares('dependencies');
    });
    expect(undeclared).toEqual([]);
  });

  it("domain/ imports @po/contracts and itself, nothing else: no Nest, no TypeORM, nothing of Node's", () => {
    const forbidden = offenders(
      ({ path }, specifier, to) =>
        path.startsWith(DOMAIN) && specifier !== '@po/contracts' && to?.startsWith(DOMAIN) !== true,
    );
    expect(forbidden).toEqual([]);
  });

  it('domain/ asks no clock and no chance, and neither reads nor writes', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|(performance|crypto|process|console)\.|(fetch|set(Timeout|Interval|Immediate))\()/;
    const rules = product.filter(({ path }) => path.startsWith(DOMAIN));
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('the folders, the build, the chart and the compose file name the same services as the list', () => {
    const names = Object.values(SERVICE_NAMES).toSorted((a, b) => a.localeCompare(b));
    const namesIn = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, name = '']) => name).toSorted((a, b) => a.localeCompare(b));
    expect(namesIn(paths.join('\n'), /^services\/([^/]+)\/src\/main\.ts$/gm)).toEqual(names);
    expect(namesIn(textOf('deploy/local/bootstrap.mjs'), /^ +'services\/([\w-]+)',$/gm)).toEqual(names);
    expect([...new Set(namesIn(textOf('docker-compose.yml'), /\bSERVICE=([\w-]+)/g))]).toEqual(names);
    const [, ofChart = ''] = /define "po\.services" -\}\}\n(.*)\n/.exec(textOf(`${CHART}templates/_names.tpl`)) ?? [];
    expect(JSON.parse(ofChart)).toEqual(SERVICE_NAMES);
  });

  it('services have no index.ts', () => {
    expect(paths.filter((path) => /^services\/.*\/index\.ts$/.test(path))).toEqual([]);
  });

  it('no file imports itself by way of others', () => {
    const finished = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
        return;
      }
      const file = byPath.get(path);
      if (!file || finished.has(path)) return;
      for (const specifier of file.imports) {
        const to = target(file, specifier);
        if (to) visit(to, [...trail, path]);
      }
      finished.add(path);
    };
    for (const { path } of product) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('process.env is read in files named config.ts only', () => {
    const readers = product.filter(
      ({ path, text }) =>
        /process\.env\b/.test(text) && !/(^|\/)config\.ts$/.test(path) && path !== 'deploy/local/bootstrap.mjs',
    );
    expect(readers.map(({ path }) => path)).toEqual([]);
  });

  it('no folder or file has a name that says nothing', () => {
    expect(paths.filter((path) => path.split('/').some((part) => FOLDERS.includes(part)) || NAMES.test(path))).toEqual(
      [],
    );
  });

  it('no import is put off to get around a cycle, which it would be all the same', () => {
    const putOff = product.filter(({ text }) => /forwardRef\(|\bimport\(/.test(text)).map(({ path }) => path);
    // Processes that do not trace do not load OpenTelemetry's SDK, and browsers load a page when it is gone to.
    expect(putOff.filter((path) => !path.startsWith('services/portal/src/'))).toEqual([
      'libs/platform/src/tracing/tracing.ts',
    ]);
  });

  it(`no file is longer than ${MAX_LINES} lines, tests included`, () => {
    const long = files
      .filter(({ path }) => path !== GENERATED)
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('no test is left out', () => {
    const skipped = /\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|describe)\(/;
    expect(
      files
        .filter(({ path, text }) => skipped.test(text) && path !== 'test/architecture.spec.ts')
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

const PACKAGE = /^(?:(?:libs|services)\/[^/]+\/src|deploy\/local)(?=\/)/;
/** Packages, and folders in them that have layers of their own. */
const roots = [...new Set([...Object.keys(LAYERS), ...product.flatMap(({ path }) => PACKAGE.exec(path)?.[0] ?? [])])];

/** The layer of a file below a root, and its level, the top one being 0; -1 if the table has no such layer. */
function layerOf(root: string, path: string): { layer: string; level: number } | null {
  if (!path.startsWith(`${root}/`)) return null;
  const [first = '', ...rest] = path.slice(root.length + 1).split('/');
  const levels = LAYERS[root] ?? [['.']];
  const layer = rest.length > 0 || levels.flat().includes(first) ? first : '.';
  return { layer, level: levels.findIndex((layers) => layers.includes(layer)) };
}

describe('the layers', () => {
  it('every folder of a package is in the table of layers, and every layer of the table has files', () => {
    const found = roots.flatMap((root) =>
      product.flatMap(({ path }) => {
        const place = layerOf(root, path);
        return place ? [{ name: `${root}/${place.layer}`, level: place.level }] : [];
      }),
    );
    const unlisted = found.filter(({ level }) => level < 0).map(({ name }) => name);
    expect([...new Set(unlisted)]).toEqual([]);
    const taken = new Set(found.map(({ name }) => name));
    const named = Object.entries(LAYERS).flatMap(([root, levels]) => levels.flat().map((layer) => `${root}/${layer}`));
    expect(named.filter((name) => !taken.has(name))).toEqual([]);
  });

  it.each(Object.keys(LAYERS))('no import in %s goes to a layer above or beside its own', (root) => {
    const upwards = offenders(({ path }, _specifier, to) => {
      const [from, onto] = [layerOf(root, path), to === null ? null : layerOf(root, to)];
      return from !== null && onto !== null && from.layer !== onto.layer && from.level >= onto.level;
    });
    expect(upwards).toEqual([]);
  });
});
