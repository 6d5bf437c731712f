import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES, type ServiceName, SERVICES } from '../../deploy/local/stack/stack-file.js';
import { NOTICES, bundleProblems, bundledIn, lockedOf } from '../../deploy/supply-chain/bundled.js';
import { lockedPackages } from '../../deploy/supply-chain/lockfile.js';
import { isTestFile, pathsOf, readText } from '@po/testing/documents';
import { Compose } from './compose.js';
import { Docker } from './engine.js';
import { filesOf } from './files.js';
import { type Lockfile, neededBy } from './packages.js';
import { buildStandIns } from './stand-ins.js';

const BUILD_MS = 15 * 60_000;

interface Image {
  Config: { User: string; WorkingDir: string; Cmd: string[]; Env: string[]; Labels: Record<string, string> };
}

let docker: Docker;
/** Size in bytes of the files below /app, by path. */
const files = {} as Record<ServiceName, Map<string, number>>;

const imageOf = (service: ServiceName): string => `po/${SERVICE_NAMES[service]}`;
const printed = (service: ServiceName, ...command: string[]): Promise<string> =>
  docker.run(['run', '--rm', '--network', 'none', imageOf(service), ...command]);

beforeAll(async () => {
  docker = await Docker.open();
  await buildStandIns(docker);
  await (await Compose.open(docker)).run(['build']);
  for (const service of SERVICES) files[service] = await filesOf(docker, imageOf(service), 'app/');
}, BUILD_MS);

afterAll(() => docker?.close(), BUILD_MS);

/** Matches the package name of an import, including an import of styles but not of types. */
const IMPORTED = /(?:^import (?!type )[^'"]*|\bimport\()'((?:@[\w-]+\/)?[\w-][\w.-]*)/gm;
const SITE = 'app/services/portal/dist/site/';
const isPackage = (path: string) => path.includes('/node_modules/');

describe.each(SERVICES)('the image of %s', (service) => {
  const name = SERVICE_NAMES[service];

  it('has the packages that it needs at run time and no others', () => {
    const lockfile = JSON.parse(readText('package-lock.json')) as Lockfile;
    const needed = [...neededBy(lockfile, `services/${name}`)];
    const manifests = new Set([...files[service].keys()].map((path) => path.replace(/^app\//, '')));
    const isThere = (folder: string) => manifests.has(`${folder}/package.json`);
    const unneeded = Object.keys(lockfile.packages).filter((folder) => !needed.includes(folder) && folder !== '');
    expect(unneeded.filter(isThere)).toEqual([]);
    expect(needed.filter((folder) => !lockfile.packages[folder]?.optional && !isThere(folder))).toEqual([]);
    expect(needed.filter(isThere).length).toBeGreaterThan(50);
  });

  it('has only built files, assets and documents of its service from the repository', () => {
    const all = [...files[service].keys()].filter((path) => !isPackage(path));
    const site = all.filter((path) => path.startsWith(SITE));
    const own = all.filter((path) => !path.startsWith(SITE));
    // Pages, licences and hashed assets; licences and assets other than pictures exist also as .br and .gz. Nothing else of the portal.
    const ofSite =
      /^(index\.html|signed-in-silently\.html|third-party-licences\.txt(\.br|\.gz)?|assets\/[\w.-]+-[\w-]{8}\.(png|(js|css|svg)(\.br|\.gz)?))$/;
    expect(site.map((path) => path.slice(SITE.length)).filter((path) => !ofSite.test(path))).toEqual([]);
    expect(site.length > 20).toBe(service === 'gateway');
    const folders = new Set(own.map((path) => path.split('/').slice(0, 3).join('/')));
    expect([...folders].filter((folder) => folder.startsWith('app/services/'))).toEqual([`app/services/${name}`]);
    const built = /^app\/((libs|services)\/[\w-]+\/(dist\/.+\.js|package\.json)|package\.json)$/;
    const others = own.filter((path) => !built.test(path)).toSorted();
    const assets = ['pages.css', 'reference.css', 'reference.js'].map((file) => `app/services/gateway/assets/${file}`);
    const documents = ['app/libs/contracts/asyncapi.json', 'app/libs/contracts/openapi.json'];
    expect(others).toEqual([...documents, ...(service === 'gateway' ? assets : [])]);
    expect(own.filter((path) => /\.spec\.|fixtures/.test(path))).toEqual([]);
  });

  it('has no files for building or testing and no settings files', () => {
    const left =
      /\.([mc]?ts|map|tsbuildinfo)$|\/(tests?|__tests__|\.cache)\/|\/\.(env|npmrc)|^app\/package-lock\.json$/;
    expect([...files[service].keys()].filter((path) => left.test(path))).toEqual([]);
  });

  it('starts Node itself in the folder of its service, with a user id that no machine uses', async () => {
    const [image] = await docker.inspect<Image>(imageOf(service));
    expect(image?.Config).toMatchObject({
      User: '10001:10001',
      WorkingDir: `/app/services/${name}`,
      Labels: {
        'org.opencontainers.image.title': `purchase-order-collaboration/${name}`,
        'org.opencontainers.image.version': 'unspecified',
        'org.opencontainers.image.licenses': 'Apache-2.0',
      },
    });
    expect([image?.Config.Cmd[0], image?.Config.Cmd.at(-1)]).toEqual(['node', 'dist/main.js']);
    expect(image?.Config.Env).toContain('NODE_ENV=production');
  });

  it('has less code of its service than of packages', () => {
    const sizes = { packages: 0, own: 0 };
    for (const [path, size] of files[service]) sizes[isPackage(path) ? 'packages' : 'own'] += size;
    const { packages, own } = sizes;
    process.stderr.write(`  ${name}: ${megabytes(packages)} of packages, ${megabytes(own)} of its own\n`);
    expect(own).toBeLessThan(packages);
  });
});

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

describe('the portal in the image of the gateway', () => {
  const notices = () => printed('gateway', 'cat', `/app/${NOTICES}`);

  it('includes the licences of all its packages, and all of them are allowed', async () => {
    const bundled = bundledIn(await notices());
    expect(bundleProblems(bundled)).toEqual([]);
    expect(lockedOf(bundled, lockedPackages(readText('package-lock.json')))).toHaveLength(bundled.length);
  });

  it('lists in its licence notices every package that its sources import', async () => {
    const sources = pathsOf('services/portal/src/**/*.{ts,tsx}').filter((path) => !isTestFile(path));
    const imports = sources.flatMap((path) => [...readText(path).matchAll(IMPORTED)].map(([, name = '']) => name));
    const named = new Set(bundledIn(await notices()).map(({ name }) => name));
    expect(new Set(imports).size).toBeGreaterThan(10);
    expect([...new Set(imports)].filter((name) => !name.startsWith('@po/') && !named.has(name))).toEqual([]);
  });
});

it('every program in the documents for operators is in the image of its service', () => {
  const documentation = ['deploy/README.md', 'deploy/REPAIR.md'].map(readText).join('\n');
  const programs = documentation.matchAll(/node ((?:services|libs)\/([\w-]+)\/dist\/[\w/-]+\.js)/g);
  const missing = [...programs].filter(([, path = '', name = '']) => {
    const service = SERVICES.find((known) => SERVICE_NAMES[known] === name);
    const images = service ? [service] : SERVICES;
    return !images.every((image) => files[image].has(`app/${path}`));
  });
  expect(missing).toEqual([]);
});
