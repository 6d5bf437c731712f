import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { type LockedPackage, resolvePackage, lockedPackages, ownPackages } from './lockfile.js';

const { Component, ComponentRepository, HashDictionary, LicenseRepository } = Models;

export interface DeployedService {
  /** Name of the service's folder. */
  service: string;
  version: string;
  /** Text of `node_modules/.package-lock.json` in the deployed tree, which lists what npm really installed. */
  installed: string;
  /** Packages bundled in the portal's files, if the service serves the portal. */
  bundled?: readonly LockedPackage[];
}

const OWN_LICENCE = 'Apache-2.0';

/** Bill of materials of one service as CycloneDX 1.6 JSON; reproducible for the same tree. */
export function billOfMaterials({ service, version, installed, bundled = [] }: DeployedService): string {
  const packages = lockedPackages(installed);
  const others = ownPackages(installed).filter(({ path }) => !path.startsWith('services/'));
  const root = new Component(Enums.ComponentType.Application, service, {
    group: '@po',
    version,
    bomRef: `@po/${service}`,
    licenses: licencesOf(OWN_LICENCE),
  });
  const own = others.map(({ name, path }) => [path, ownComponent(name, path, version)] as const);
  const foreign = packages.map((one) => [one.path, componentOf(one)] as const);
  const byPath = new Map([...own, ...foreign]);
  const linked = new Map(others.map(({ name, path }) => [`node_modules/${name}`, path]));
  const paths = new Set([...byPath.keys(), ...linked.keys()]);
  for (const [path, needs] of needsIn(installed)) {
    const component = path === `services/${service}` ? root : byPath.get(path);
    for (const name of component ? needs : []) {
      const found = resolvePackage(path, name, paths) ?? '';
      const needed = byPath.get(linked.get(found) ?? found);
      if (needed) component?.dependencies.add(needed.bomRef);
    }
  }
  const portal = portalOf(bundled, ownComponent('@po/portal', 'services/portal', version));
  if (portal[0]) root.dependencies.add(portal[0].bomRef);
  const bom = new Models.Bom({
    components: new ComponentRepository([...byPath.values(), ...portal].filter((component) => component !== root)),
    metadata: new Models.Metadata({ component: root }),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** Components of the portal and its bundled packages; empty without a portal. */
function portalOf(bundled: readonly LockedPackage[], portal: Models.Component): Models.Component[] {
  if (bundled.length === 0) return [];
  // Separate ids, because the service may also have the same package installed.
  const parts = bundled.map((one) => componentOf({ ...one, path: `services/portal#${one.path}` }));
  for (const { bomRef } of parts) portal.dependencies.add(bomRef);
  return [portal, ...parts];
}

/** Dependencies of each package by path, including the repository's own packages. */
function needsIn(installed: string): [path: string, needs: string[]][] {
  const { packages } = JSON.parse(installed) as { packages: Record<string, { dependencies?: object }> };
  const own = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'));
  return [
    ...own.map(([path, { dependencies = {} }]): [string, string[]] => [path, Object.keys(dependencies)]),
    ...lockedPackages(installed).map(({ path, needs }): [string, string[]] => [path, needs]),
  ];
}

const ownComponent = (name: string, path: string, version: string) =>
  new Component(Enums.ComponentType.Library, name.replace('@po/', ''), {
    group: '@po',
    version,
    bomRef: path,
    licenses: licencesOf(OWN_LICENCE),
  });

function componentOf({ path, name, version, integrity, licence }: LockedPackage) {
  const [last = name, group] = name.split('/').toReversed();
  return new Component(Enums.ComponentType.Library, last, {
    ...(group === undefined ? {} : { group }),
    version,
    bomRef: path,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: licencesOf(licence),
    hashes: hashesOf(integrity),
  });
}

// A licence with several words is an SPDX expression.
const licenceOf = (licence: string) =>
  licence.includes(' ') ? new Models.LicenseExpression(licence) : new Models.SpdxLicense(licence);
const licencesOf = (licence: string | null) => new LicenseRepository(licence === null ? [] : [licenceOf(licence)]);

function hashesOf(integrity: string | null) {
  const sha512 = /^sha512-(\S+)/.exec(integrity ?? '')?.[1];
  const digest = sha512 === undefined ? [] : [Buffer.from(sha512, 'base64').toString('hex')];
  return new HashDictionary(digest.map((hex) => [Enums.HashAlgorithm['SHA-512'], hex]));
}
