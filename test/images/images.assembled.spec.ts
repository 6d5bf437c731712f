import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { SERVICE_NAMES, type ServiceName, SERVICES } from '../../deploy/local/stack/stack-file.js';
import { NOTICES, bundleProblems, bundledIn, lockedOf } from '../../deploy/supply-chain/bundled.js';
import { lockedPackages } from '../../deploy/supply-chain/lockfile.js';
import { isOfTests, pathsOf, textOf } from '@po/testing/documents';
import { type Images, assembleAll, filesOf, makeWritable, runnerOf, sizesOf } from './assembled.js';
import { builderOf } from './builder.js';
import { describeLife } from './life.js';
import { type Lockfile, neededBy } from './packages.js';
import { type ImageWorld, openWorld } from './world.js';

const START_MS = 300_000;

function required(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: run these tests by "npm run test:assembled"`);
  return value;
}

const dir = required('IMAGES_DIR');
let images: Images;
let opening: Promise<ImageWorld>;
let world: ImageWorld;
let runner: Awaited<ReturnType<typeof runnerOf>>;
const files = {} as Record<ServiceName, Map<string, string>>;

beforeAll(async () => {
  const assembled = join(dir, 'images');
  await mkdir(assembled, { recursive: true });
  opening = openWorld({ dir: join(dir, 'world'), cache: required('IMAGES_CACHE') });
  const builder = await builderOf(REPOSITORY, assembled);
  images = await assembleAll(builder);
  world = await opening;
  runner = await runnerOf(images, dir);
  for (const service of SERVICES) files[service] = await filesOf(images[service].root);
}, START_MS);

afterAll(async () => {
  runner?.killAll();
  await opening.then((open) => open.close());
  await makeWritable(dir);
}, START_MS);

/** A package by its name, also where only styles are taken of it; not where only types are. */
const IMPORTED = /(?:^import (?!type )[^'"]*|\bimport\()'((?:@[\w-]+\/)?[\w-][\w.-]*)/gm;
const SITE = 'app/services/portal/dist/site/';
const isPackage = (path: string) => path.includes('/node_modules/');

describe.each(SERVICES)('the image of %s', (service) => {
  const name = SERVICE_NAMES[service];

  it('has the packages that it needs to run, and no others', () => {
    const lockfile = JSON.parse(textOf('package-lock.json')) as Lockfile;
    const needed = [...neededBy(lockfile, `services/${name}`)];
    const manifests = [...files[service].keys()].map((path) => path.replace(/^app\//, ''));
    const isThere = (folder: string) => manifests.includes(`${folder}/package.json`);
    const unneeded = Object.keys(lockfile.packages).filter((folder) => !needed.includes(folder) && folder !== '');
    expect(unneeded.filter(isThere)).toEqual([]);
    expect(needed.filter((folder) => !lockfile.packages[folder]?.optional && !isThere(folder))).toEqual([]);
    expect(needed.filter(isThere).length).toBeGreaterThan(50);
  });

  it('has of the repository only what its service was built to', () => {
    const all = [...files[service].keys()].filter((path) => !isPackage(path));
    const site = all.filter((path) => path.startsWith(SITE));
    const own = all.filter((path) => !path.startsWith(SITE));
    // Pages, and files by their hash, each as it is and, but for pictures, compressed twice; nothing else of the portal.
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

  it('has nothing that only building and testing need, and no settings', () => {
    const left =
      /\.([mc]?ts|map|tsbuildinfo)$|\/(tests?|__tests__|\.cache)\/|\/\.(env|npmrc)|^app\/package-lock\.json$/;
    expect([...files[service].keys()].filter((path) => left.test(path))).toEqual([]);
  });

  it('starts Node itself in the folder of its service, as a user that no machine has', () => {
    const { user, workdir, command, env, labels } = images[service];
    expect(user).toMatch(/^\d{5,}:\d{5,}$/);
    expect([workdir, command[0], command.at(-1)]).toEqual([`/app/services/${name}`, 'node', 'dist/main.js']);
    expect(env).toMatchObject({ NODE_ENV: 'production' });
    expect(labels).toMatchObject({ 'org.opencontainers.image.title': `purchase-order-collaboration/${name}` });
  });
});

describe('the portal in the image of gateway', () => {
  const notices = () => readFile(join(images.gateway.root, 'app', NOTICES), 'utf8');

  it('brings the licences of all that it is made of, and those are allowed', async () => {
    const bundled = bundledIn(await notices());
    expect(bundleProblems(bundled)).toEqual([]);
    expect(lockedOf(bundled, lockedPackages(textOf('package-lock.json')))).toHaveLength(bundled.length);
  });

  it('names every package there that its sources import', async () => {
    const sources = pathsOf('services/portal/src/**/*.{ts,tsx}').filter((path) => !isOfTests(path));
    const imports = sources.flatMap((path) => [...textOf(path).matchAll(IMPORTED)].map(([, name = '']) => name));
    const named = new Set(bundledIn(await notices()).map(({ name }) => name));
    expect(new Set(imports).size).toBeGreaterThan(10);
    expect([...new Set(imports)].filter((name) => !name.startsWith('@po/') && !named.has(name))).toEqual([]);
  });
});

describe('all images together', () => {
  it('have a size', async () => {
    for (const service of SERVICES) {
      const { packages, own } = await sizesOf(images[service].root);
      process.stderr.write(`  ${service}: ${megabytes(packages)} of packages, ${megabytes(own)} of its own\n`);
      expect(own).toBeLessThan(packages);
    }
  });
});

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

describeLife(() => ({ world, run: runner.run }));

describe('afterwards', () => {
  it('no file of an image is another', async () => {
    for (const service of SERVICES) expect(await filesOf(images[service].root)).toEqual(files[service]);
  });

  it('every program that operators are told of is in the image of its service', () => {
    const told = ['deploy/README.md', 'deploy/REPAIR.md'].map(textOf).join('\n');
    const programs = told.matchAll(/node ((?:services|libs)\/([\w-]+)\/dist\/[\w/-]+\.js)/g);
    const missing = [...programs].filter(([, path = '', name = '']) => {
      const service = SERVICES.find((known) => SERVICE_NAMES[known] === name);
      const images = service ? [service] : SERVICES;
      return !images.every((image) => files[image].has(`app/${path}`));
    });
    expect(missing).toEqual([]);
  });
});
