import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { missingForJava, programsIn } from './embedded-kafka.js';
import { RECIPE } from './kafka-properties.js';

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
