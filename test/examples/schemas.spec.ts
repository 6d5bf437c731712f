import { describe, expect, it } from '@jest/globals';
import { type ExampleFile, readExamples } from '../../deploy/local/example-messages.js';
import { pathsOf } from '@po/testing/documents';
import { type DescribedRecord, describedBy } from './asyncapi.js';

const examples = readExamples();
const named = (files: readonly ExampleFile[]) => files.map((file) => [file.path, file] as const);
const valid = named(examples.filter(({ isRefused }) => !isRefused));
const refused = named(examples.filter(({ isRefused }) => isRefused));
const recordOf = ({ topic, message: { headers, key, value } }: ExampleFile): DescribedRecord => ({
  topic,
  headers,
  key,
  value,
});

const NOW = 'libs/contracts/asyncapi.json';

describe.each([NOW, ...pathsOf('libs/contracts/released/**/asyncapi.json')])('by %s', (path) => {
  const misfits = describedBy(path);

  // A release knows no topic that came later.
  const isKnown = (file: ExampleFile) => !misfits(recordOf(file)).includes(`no channel is ${file.topic}`);

  it.each(path === NOW ? valid : valid.filter(([, file]) => isKnown(file)))('%s is as described', (_path, file) => {
    expect(misfits(recordOf(file))).toEqual([]);
  });

  // No schema compares a key with a value, rows with each other, or counts decimals.
  const untold = ['five-decimals', 'two-rows-on-one-cell', 'other-key'];

  it.each(refused)('%s is not, where a schema can tell', (name, file) => {
    const isTold = !untold.some((each) => name.endsWith(`/${each}.json`));
    expect(misfits(recordOf(file)).length > 0).toBe(isTold);
  });
});
