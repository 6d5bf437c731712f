import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../local/repository.js';
import { clientTypes, generatedDocuments } from './generated.js';

const DOCUMENTS = await generatedDocuments();

describe('the generated documents', () => {
  it.each([...DOCUMENTS])('%s is what "npm run docs" writes', async (path, text) => {
    expect(await readFile(join(REPOSITORY, path), 'utf8')).toBe(text);
  });

  it('are what the client’s types are made of', async () => {
    const { path, text } = await clientTypes();
    expect(await readFile(join(REPOSITORY, path), 'utf8')).toBe(text);
  });
});
