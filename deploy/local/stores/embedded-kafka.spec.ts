import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
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
