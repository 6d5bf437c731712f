import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { GUIDE } from '@po/gateway/dist/documentation/guide.js';
import { externalTopics } from './topics.js';
import { formatFile } from './format-file.js';

export const CONTRACTS_README = 'libs/contracts/README.md';

/** Questions and answers of the gateway's pages in English CommonMark, each under a heading of this level. */
function answers(level: number): string {
  const heading = '#'.repeat(level);
  const sections = GUIDE.map(
    ({ question, answer, shell, notes }) =>
      `${heading} ${question.en}\n\n${answer.en}\n\n\`\`\`sh\n${shell}\n\`\`\`\n\n${notes.en}`,
  );
  // Links to the gateway's pages would not work outside the gateway.
  return sections.join('\n\n').replaceAll(/\[([^\]]+)\]\(\/[^)]*\)/g, (_link, text: string) => shown(text));
}

const shown = (text: string): string => (/^[A-Z_]+$/.test(text) ? `\`${text}\`` : text);

/** Introduction of the API document. */
export const description = (): string =>
  readFileSync(join(REPOSITORY, 'deploy/documents/guide.md'), 'utf8').replace('<!-- guide -->', () => answers(2));

/** The contracts README with its generated parts replaced. */
export async function contractsReadme(): Promise<string> {
  const parts = { guide: answers(3), 'topics of others': externalTopics() };
  let text = readFileSync(join(REPOSITORY, CONTRACTS_README), 'utf8');
  for (const [name, part] of Object.entries(parts)) {
    const wrapped = await formatFile(CONTRACTS_README, part, { proseWrap: 'always', printWidth: 140 });
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const [before, rest] = text.split(start);
    const [, after] = rest?.split(end) ?? [];
    if (after === undefined) throw new Error(`${CONTRACTS_README} needs ${start} and ${end}`);
    text = `${before}${start}\n\n${wrapped}\n${end}${after}`;
  }
  return text;
}
