import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DEMO_USERS } from '../deploy/local/demo/users.js';
import { SPANS } from '../libs/platform/src/tracing/spans.js';
import { blockOf, documentOf, isTestFile, pathsOf, tableOf, readText } from '@po/testing/documents';

describe('the README', () => {
  it('names every demo user', () => {
    const [line = ''] = /^Demo users: .*$/m.exec(documentOf('README.md')) ?? [];
    expect([...line.matchAll(/`([^`]+)`/g)].map(([, user]) => user)).toEqual(Object.keys(DEMO_USERS));
  });
});

describe('the recipe for a negotiated field', () => {
  /** Names of the text field `factory` in messages, responses, requests and columns. */
  const FACTORY =
    /\bfactory\??:|\border\.factory\b|\b(?:original|vendorReply|agreed)Factory\b|\b(?:original|vendor_reply)_factory\b/;

  it('links exactly the files that mention a negotiated text field, here the factory', () => {
    const [, recipe = ''] =
      /^### Add a negotiated field$([\s\S]*?)A date also/m.exec(documentOf('CONTRIBUTING.md')) ?? [];
    const linked = [...recipe.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
    const product = pathsOf('{libs,services}/*/src/**/*.{ts,tsx}').filter(
      (path) => !isTestFile(path) && path !== 'libs/client/src/api.ts',
    );
    const naming = product.filter((path) => FACTORY.test(readText(path).replaceAll(/\/\*[\s\S]*?\*\//g, '')));
    const folderOfMigration = (path: string) => path.replace(/(\/migrations)\/.*/, '$1');
    expect(linked.toSorted()).toEqual([...new Set(naming.map(folderOfMigration))].toSorted());
  });
});

describe('the README of the client', () => {
  it('names the oldest Node that its manifest declares and its dependencies support', () => {
    const manifestIn = (folder: string) =>
      JSON.parse(readText(`${folder}/package.json`)) as { engines?: { node: string }; dependencies?: object };
    const { engines, dependencies = {} } = manifestIn('libs/client');
    const needed = Object.keys(dependencies).flatMap((name) => manifestIn(`node_modules/${name}`).engines?.node ?? []);
    const [, documented] = /\bNode (\S+) or newer/.exec(documentOf('libs/client/README.md')) ?? [];
    expect([engines?.node, ...needed]).toEqual([`>=${documented}`, `>=${documented}`]);
  });
});

describe('the documentation of deployments', () => {
  it('builds the images that the chart runs', () => {
    const document = documentOf('deploy/README.md');
    const [, services = ''] = /^for s in (.*); do$/m.exec(document) ?? [];
    const [, folder = ''] = /^R=registry\.example\.com\/(\S+) /m.exec(document) ?? [];
    const values = readText('deploy/helm/po-collaboration/values.yaml');
    const repositories = [...values.matchAll(/image: { repository: ([^,]+),/g)].map(([, repository]) => repository);
    expect(services.split(' ').map((service) => `${folder}/${service}`)).toEqual(repositories);
  });
});

describe('the documentation of TLS', () => {
  it('does not say that the CAs of the operating system are trusted, which is not the default of Node.js', () => {
    for (const path of ['deploy/CONFIGURATION.md', 'deploy/CONNECTIONS.md'])
      expect(documentOf(path)).not.toMatch(/(?:instead of|CAs of) the system/);
  });
});

describe('the documentation of retention', () => {
  it('lists every table of the databases', () => {
    const sources = pathsOf('services/*/src/migrations/**/*.ts')
      .concat('libs/messaging/src/outbox/outbox.ts')
      .map(readText);
    const tables = sources.flatMap((source) =>
      [...source.matchAll(/CREATE TABLE (\w+)/g)].map(([, table = '']) => `\`${table}\``),
    );
    const documented = tableOf('deploy/README.md', 'retention').flatMap(([names = '']) => names.split(', '));
    expect(documented.toSorted()).toEqual([...new Set(tables)].toSorted());
  });
});

describe('the documentation of traces', () => {
  const DOCUMENT = 'deploy/TRACES.md';
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

  it('lists every span with its kind', () => {
    const rows = Object.entries(SPANS).map(([span, { kind }]) => [code([span]), kind]);
    expect(tableOf(DOCUMENT, 'spans').map(([span, kind]) => [span, kind])).toEqual(rows);
  });
});

describe('the README of messaging', () => {
  it('names the tests of every promise', () => {
    const promises = blockOf('libs/messaging/README.md', 'promises').split(/^- /m).slice(1);
    expect(promises.length).toBeGreaterThan(10);
    const scenarios = pathsOf('test/faults/scenarios/*.ts').map((path) => basename(path, '.ts'));
    const unshown = promises.filter((promise) => {
      const [, shownBy = ''] = promise.split(/Tested by\s/);
      const faults = /faults: ([a-z]+(?:, [a-z]+)*)/.exec(shownBy)?.[1]?.split(', ') ?? [];
      const isShown = /\.spec\.ts`|every fault/.test(shownBy) || faults.length > 0;
      return !isShown || !faults.every((fault) => scenarios.includes(fault));
    });
    expect(unshown).toEqual([]);
  });
});
