import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { REPOSITORY } from '../local/repository.js';
import { IMAGE_FILES, imagesIn, pinProblems, pinDigests, releaseValues } from './images.js';

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
const references = IMAGE_FILES.flatMap((file) => imagesIn(file, read(file)));
const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const COMPOSE = ['  kafka:', '    image: apache/kafka:4.1.1', '  gateway:', '    image: po/gateway', ''].join('\n');
const DOCKERFILE = 'ARG NODE_IMAGE=node:24-bookworm-slim\n\nFROM ${NODE_IMAGE} AS build\n';

it('imagesIn finds every pulled image', () => {
  const named = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, name = '']) => name);
  const pulled = named('docker-compose.yml', /^\s*image:\s*(\S+)/gm).filter((name) => !name.startsWith('po/'));
  const bases = named('deploy/Dockerfile', /^FROM\s+(\S+)/gm).filter((name) => name.includes(':'));
  expect(bases).toEqual([]);
  expect(references.map(({ file }) => file).toSorted()).toEqual(
    [...pulled.map(() => 'docker-compose.yml'), 'deploy/Dockerfile'].toSorted(),
  );
});

it('every image without a digest is listed in unpinned-images.json with a reason', () => {
  const unpinned = JSON.parse(read('deploy/supply-chain/unpinned-images.json')) as Record<string, string>;
  expect(pinProblems(references, unpinned)).toEqual([]);
  expect(Object.values(unpinned).filter((reason) => reason.length < 20)).toEqual([]);
});

it('pinProblems reports an unlisted image without a digest, and a listed image that has one or is unused', () => {
  const found = imagesIn('docker-compose.yml', COMPOSE);
  expect(pinProblems(found, {})).toEqual(['apache/kafka:4.1.1 has no digest: npm run supply-chain -- pin-images']);
  expect(pinProblems(found, { 'apache/kafka:4.1.1': 'for a reason', 'redis:8': 'for another' })).toEqual([
    expect.stringMatching(/^redis:8 .*: remove it$/),
  ]);
  const done = imagesIn('docker-compose.yml', pinDigests(COMPOSE, new Map([['apache/kafka:4.1.1', digest('a')]])));
  expect(pinProblems(done, { 'apache/kafka:4.1.1': 'for a reason' })).toHaveLength(1);
});

it('pinned adds digests only to pulled images and replaces older digests', () => {
  const first = new Map([
    ['apache/kafka:4.1.1', digest('a')],
    ['node:24-bookworm-slim', digest('b')],
  ]);
  expect(pinDigests(COMPOSE, first)).toBe(COMPOSE.replace('4.1.1', `4.1.1@${digest('a')}`));
  expect(pinDigests(DOCKERFILE, first)).toBe(DOCKERFILE.replace('-slim', `-slim@${digest('b')}`));
  const second = new Map([['apache/kafka:4.1.1', digest('c')]]);
  expect(pinDigests(pinDigests(COMPOSE, first), second)).toBe(pinDigests(COMPOSE, second));
  expect(imagesIn('deploy/Dockerfile', pinDigests(DOCKERFILE, first))).toEqual([
    { file: 'deploy/Dockerfile', name: 'node:24-bookworm-slim', digest: digest('b') },
  ]);
});

it('releaseValues renders the image digests of a release as chart values', () => {
  expect(releaseValues({ gateway: digest('a'), dashboard: digest('b') })).toBe(
    `gateway: { image: { digest: '${digest('a')}' } }\ndashboard: { image: { digest: '${digest('b')}' } }\n`,
  );
});
