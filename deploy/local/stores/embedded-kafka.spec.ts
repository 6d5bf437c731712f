import { afterEach, expect, it } from '@jest/globals';
import { missingForJava } from './embedded-kafka.js';

const home = process.env['JAVA_HOME'];
afterEach(() => {
  if (home === undefined) delete process.env['JAVA_HOME'];
  else process.env['JAVA_HOME'] = home;
});

it('names a JAVA_HOME that has no Java, instead of asking for what may be installed', async () => {
  process.env['JAVA_HOME'] = '/nowhere';
  expect(await missingForJava('Kafka', false)).toEqual([
    '/nowhere/bin/java does not answer: correct JAVA_HOME, or unset it',
  ]);
});
