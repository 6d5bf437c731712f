import { type Server, createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Acceptance, requestAudit, auditProblems } from './audit.js';

const ADVISORY = 'GHSA-aaaa-bbbb-cccc';
const INTEGRITY = `sha512-${Buffer.alloc(64).toString('base64')}`;
const PROJECT = {
  name: 'project',
  version: '1.0.0',
  dependencies: { left: '1.0.0' },
  devDependencies: { right: '1.0.0', tool: '1.0.0' },
};
const LOCKFILE = {
  name: 'project',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': PROJECT,
    'node_modules/left': { version: '1.0.0', integrity: INTEGRITY },
    'node_modules/right': { version: '1.0.0', integrity: INTEGRITY, dev: true },
    'node_modules/tool': { version: '1.0.0', integrity: INTEGRITY, dev: true },
  },
};
const KNOWN = { id: 7, title: 'reads too far', severity: 'high', vulnerable_versions: '<2.0.0', cwe: [], cvss: {} };

describe('npm advisories', () => {
  let dir: string;
  let registry: Server;
  let advisories: object | null;

  // A fake registry with these advisories; null if it has no audit endpoint.
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'po-audit-'));
    await writeFile(join(dir, 'package.json'), JSON.stringify(PROJECT));
    await writeFile(join(dir, 'package-lock.json'), JSON.stringify(LOCKFILE));
    registry = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.method === 'POST' && advisories === null) response.writeHead(405).end();
      else if (request.method === 'POST') response.end(JSON.stringify(advisories));
      else
        response.end(
          JSON.stringify({
            name: request.url?.slice(1),
            'dist-tags': { latest: '1.0.0' },
            versions: { '1.0.0': { name: request.url?.slice(1), version: '1.0.0' } },
          }),
        );
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  afterAll(async () => {
    registry.close();
    await rm(dir, { recursive: true });
  });

  const fetchReport = () => {
    const { port } = registry.address() as AddressInfo;
    // A separate cache, because npm caches advisories.
    return requestAudit(dir, new Set(['right']), [
      '--registry',
      `http://127.0.0.1:${port}`,
      '--cache',
      join(dir, 'cache'),
    ]);
  };
  const known = { left: [{ ...KNOWN, url: `https://github.com/advisories/${ADVISORY}` }] };
  const accepted = (until: string): Acceptance[] => [
    { advisory: ADVISORY, package: 'left', reason: 'not reachable', until },
  ];

  it('are reported as none only if npm audit succeeded', async () => {
    advisories = {};
    expect(auditProblems(await fetchReport(), [], '2026-11-22')).toEqual([]);
    advisories = null;
    const report = await fetchReport();
    expect(() => auditProblems(report, [], '2026-11-22')).toThrow(
      /did not answer, so nothing is known: 405 .*\n.*--registry/,
    );
  });

  it('are problems unless accepted, until the acceptance expires', async () => {
    advisories = known;
    const report = await fetchReport();
    expect(auditProblems(report, [], '2026-11-22')).toEqual([`left <2.0.0: high, reads too far (${ADVISORY})`]);
    expect(auditProblems(report, accepted('2026-11-22'), '2026-11-22')).toEqual([]);
    expect(auditProblems(report, accepted('2026-11-21'), '2026-11-22')).toEqual([
      `${ADVISORY} of left was accepted until 2026-11-21: not reachable`,
    ]);
  });

  it('are problems for packages in the portal files, but not for build and test dependencies', async () => {
    const [{ url } = { url: '' }] = known.left;
    advisories = { right: [{ ...KNOWN, url }], tool: [{ ...KNOWN, url }] };
    expect(auditProblems(await fetchReport(), [], '2026-11-22')).toEqual([
      `right <2.0.0: high, reads too far (${ADVISORY})`,
    ]);
  });

  it('may not stay accepted once they are no longer reported', async () => {
    advisories = {};
    expect(auditProblems(await fetchReport(), accepted('2027-01-01'), '2026-11-22')).toEqual([
      expect.stringMatching(/is accepted but no longer reported: remove it$/),
    ]);
  });
});
