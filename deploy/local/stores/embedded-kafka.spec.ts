import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { Processes } from '../processes/processes.js';
import { RECIPE } from './kafka-properties.js';

// The module reads the PATH when it is loaded.
const dir = mkdtempSync(join(tmpdir(), 'po-embedded-kafka-'));
process.env['PATH'] = `${dir}${delimiter}${process.env['PATH']}`;
const { fetchPrograms, missingForJava, programsIn } = await import('./embedded-kafka.js');
afterAll(() => rm(dir, { recursive: true }));

const home = process.env['JAVA_HOME'];
afterEach(() => {
  if (home === undefined) delete process.env['JAVA_HOME'];
  else process.env['JAVA_HOME'] = home;
});

it('missingForJava reports a JAVA_HOME without Java instead of suggesting to install Java', async () => {
  process.env['JAVA_HOME'] = '/nowhere';
  expect(await missingForJava('Kafka', false)).toEqual([
    '/nowhere/bin/java does not answer: correct JAVA_HOME, or unset it',
  ]);
});

it('missingForJava names a JAVA_HOME whose Java is too old, because another Java would not be used', async () => {
  await mkdir(join(dir, 'bin'));
  await writeFile(join(dir, 'bin/java'), '#!/bin/sh\necho openjdk 11.0.22 2024-01-16\n', { mode: 0o755 });
  process.env['JAVA_HOME'] = dir;
  expect(await missingForJava('Kafka', true)).toEqual([
    `${dir}/bin/java is Java 11, Kafka needs 17 or newer: correct JAVA_HOME, or unset it`,
  ]);
});

it('missingForJava names only packages after "apt-get install"', async () => {
  delete process.env['JAVA_HOME'];
  await writeFile(join(dir, 'java'), '#!/bin/sh\necho openjdk 11.0.22 2024-01-16\n', { mode: 0o755 });
  expect(await missingForJava('Kafka', true)).toEqual([
    expect.stringMatching(/^java is Java 11, .*: apt-get install default-jre-headless \(or /),
  ]);
});

it('the program folder depends on pom.xml, so that older versions in the cache are not used', async () => {
  const digest = createHash('sha256').update(await readFile(join(RECIPE, 'pom.xml')));
  expect(programsIn('/cache')).toBe(`/cache/stores-${digest.digest('hex').slice(0, 8)}`);
});

it('fetchPrograms replaces a file that an interrupted download left incomplete', async () => {
  // Like Maven, keeps files that exist.
  const maven = (does: string) =>
    writeFile(
      join(dir, 'mvn'),
      `#!/bin/sh
for option; do case $option in -Dstores.folder=*) lib=\${option#*=}/lib; esac; done
mkdir -p "$lib"
test -e "$lib/kafka.jar" || ${does}`,
      { mode: 0o755 },
    );
  const fetch = () => fetchPrograms(new Processes(dir), dir, (_label, work) => work());
  await maven('{ printf par > "$lib/kafka.jar"; exit 1; }');
  await expect(fetch()).rejects.toThrow('mvn -q failed');
  await maven('printf complete > "$lib/kafka.jar"');
  await fetch();
  expect(await readFile(join(programsIn(dir), 'lib/kafka.jar'), 'utf8')).toBe('complete');
});
