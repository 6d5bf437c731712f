import { describe, expect, it } from '@jest/globals';
import { type ExampleFile, readExamples } from '../../deploy/local/example-messages.js';
import { pathsOf } from '@po/testing/documents';
import { type DescribedRecord, asyncApiValidator } from './asyncapi.js';

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

describe.each([NOW, ...pathsOf('libs/contracts/released/**/asyncapi.json')])('the schemas in %s', (path) => {
  const errorsOf = asyncApiValidator(path);

  // A release does not know topics that were added later.
  const isKnown = (file: ExampleFile) => !errorsOf(recordOf(file)).includes(`no channel has the address ${file.topic}`);

  it.each(path === NOW ? valid : valid.filter(([, file]) => isKnown(file)))('accept %s', (_path, file) => {
    expect(errorsOf(recordOf(file))).toEqual([]);
  });

  // A schema cannot compare a key with a value or rows with each other, or count decimals.
  const inexpressible = ['five-decimals', 'two-rows-on-one-cell', 'other-key'];

  it.each(refused)('refuse %s if a schema can express the violated rule', (name, file) => {
    const isExpressible = !inexpressible.some((each) => name.endsWith(`/${each}.json`));
    expect(errorsOf(recordOf(file)).length > 0).toBe(isExpressible);
  });
});
