import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../local/repository.js';
import { generatedDocuments } from './generated.js';
import { redocly } from './redocly.js';

const DOCUMENTS = await generatedDocuments();

describe('the generated documents', () => {
  const apis = [...DOCUMENTS.keys()].filter((path) => /api\.json$/.test(path));
  it.each(apis)('%s passes the strictest lint rules for API descriptions', async (path) => {
    const report = await redocly(REPOSITORY, 'lint', '--extends=recommended-strict', path);
    const { totals, problems } = report as { totals: object; problems: unknown[] };
    expect(problems).toEqual([]);
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  });
});
