import { describe, expect, it } from '@jest/globals';
import { HEADERS } from '@po/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type ExampleFile, readExamples } from '../../deploy/local/example-messages.js';
import { pathsOf, textOf } from '@po/testing/documents';
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

describe('the schemas of messages', () => {
  const paths = pathsOf('libs/contracts/schemas/*.json');
  // Strict: whatever a schema says must mean something to whoever checks by it.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: true });
  formats.default(ajv);
  const typeOf = (path: string) => path.replace(/^.*\/|\.json$/g, '');
  const validators = new Map(paths.map((path) => [typeOf(path), ajv.compile(JSON.parse(textOf(path)) as object)]));

  const typed = valid.filter(([, { topic }]) => !topic.endsWith('.dlq.v1'));
  it.each(typed)('are what %s is by', (_path, { message: { headers, value } }) => {
    const type = headers[HEADERS.inventoryType] ?? headers[HEADERS.cloudEventType] ?? '';
    const validate = validators.get(type);
    validate?.(value);
    expect(validate?.errors).toBeNull();
  });
});
