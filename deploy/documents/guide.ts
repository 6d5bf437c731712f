import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { TOPICS } from '@po/gateway/dist/documentation/guide.js';
import { format } from 'prettier';

const START = '<!-- guide:start -->';
const END = '<!-- guide:end -->';
export const CONTRACTS_README = 'libs/contracts/README.md';

/** The questions and answers of the gateway's pages, each under a heading of a level, in English and CommonMark. */
function answers(level: number): string {
  const heading = '#'.repeat(level);
  const sections = TOPICS.map(
    ({ question, answer, shell, notes }) =>
      `${heading} ${question.en}\n\n${answer.en}\n\n\`\`\`sh\n${shell}\n\`\`\`\n\n${notes.en}`,
  );
  // Links lead to the gateway's pages, which are not where this is read.
  return sections.join('\n\n').replaceAll(/\[([^\]]+)\]\(\/[^)]*\)/g, (_link, text: string) => shown(text));
}

const shown = (text: string): string => (/^[A-Z_]+$/.test(text) ? `\`${text}\`` : text);

/** What the document of the API says before its operations. */
export const description = (): string =>
  readFileSync(join(REPOSITORY, 'deploy/documents/guide.md'), 'utf8').replace('<!-- guide -->', () => answers(2));

/** The README of the contracts, with the answers in their place. */
export async function contractsReadme(): Promise<string> {
  const text = readFileSync(join(REPOSITORY, CONTRACTS_README), 'utf8');
  const wrapped = await format(answers(3), { parser: 'markdown', proseWrap: 'always', printWidth: 140 });
  const [before, rest] = text.split(START);
  const [, after] = rest?.split(END) ?? [];
  if (after === undefined) throw new Error(`${CONTRACTS_README} needs ${START} and ${END}`);
  return `${before}${START}\n\n${wrapped}\n${END}${after}`;
}
