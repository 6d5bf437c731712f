import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, documents, pathsOf, readText } from '@po/testing/documents';

const README_LINES = 120;
const DOCUMENT_LINES = 250;
const LINE_LENGTH = 160;
const DECISION_LINES = 8;
/** Limit for a picture, which every clone downloads. */
const PICTURE_BYTES = 200_000;

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** Matches of the pattern's first group in all documents, with the folder that the document's paths are relative to. */
const named = (pattern: RegExp) =>
  documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, name = '', ...more]) => ({ document: path, from: dirname(path), name, more })),
  );
/** Whether a path exists, relative to the document or to the root. */
const exists = ({ from, name }: { from: string; name: string }): boolean =>
  existsSync(join(ROOT, from, name)) || existsSync(join(ROOT, name));
const described = ({ document, name }: { document: string; name: string }): string => `${document}: ${name}`;

const links = named(/\]\(([^)\s]+)\)/g)
  .filter(({ name }) => !/^https?:/.test(name))
  .map((link) => {
    const [path = '', heading] = link.name.split('#');
    return { ...link, target: path === '' ? link.document : join(link.from, path), heading };
  });

/** Anchors of the headings, as GitHub generates them. */
const anchorsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('every document', () => {
  it('is found', () => {
    const parts = ['libs/contracts', 'libs/messaging', 'deploy', 'test/bench', 'test/faults'];
    const expected = ['README.md', 'CONTRIBUTING.md', ...parts.map((part) => `${part}/README.md`)];
    expect(documents.map(({ path }) => path)).toEqual(expect.arrayContaining(expected));
  });

  it(`has at most ${DOCUMENT_LINES} lines, the README ${README_LINES}, and no line longer than ${LINE_LENGTH} characters`, () => {
    const tooMuch = documents.flatMap(({ path, text }) => {
      const lines = text.trimEnd().split('\n');
      const limit = path === 'README.md' ? README_LINES : DOCUMENT_LINES;
      return [
        ...(lines.length > limit ? [`${path} has ${lines.length} lines`] : []),
        ...lines.flatMap((line, index) => (line.length > LINE_LENGTH ? [`${path}:${index + 1}`] : [])),
      ];
    });
    expect(tooMuch).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    expect(links.length).toBeGreaterThan(50);
    const broken = links.filter(
      ({ target, heading }) =>
        !existsSync(join(ROOT, target)) || (heading !== undefined && !anchorsOf(readText(target)).includes(heading)),
    );
    expect(broken.map(described)).toEqual([]);
  });

  it('shows only small pictures', () => {
    const pictures = links.filter(({ target }) => target.endsWith('.png'));
    expect(pictures.length).toBeGreaterThan(0);
    const large = pictures.filter(({ target }) => statSync(join(ROOT, target)).size > PICTURE_BYTES);
    expect(large.map(described)).toEqual([]);
  });

  it('uses the real name of a file as the text of a link to it', () => {
    const files = named(/\[`([\w./-]+\.(?:ts|mjs|sql|yml|md))`\]\(([^)#\s]+)/g);
    expect(files.length).toBeGreaterThan(20);
    const misleading = files.filter(({ from, name, more: [path = ''] }) => !join('/', from, path).endsWith(`/${name}`));
    expect(misleading.map(described)).toEqual([]);
  });

  it('names only functions that exist in the linked file', () => {
    const functions = named(/`(\w+)` in\s+\[[^\]]*\]\(([^)#\s]+)\)/g);
    expect(functions.length).toBeGreaterThan(1);
    const missing = functions.filter(
      ({ from, name, more: [path = ''] }) => !new RegExp(`\\b${name}\\b`).test(readText(join(from, path))),
    );
    expect(missing.map(described)).toEqual([]);
  });

  it('names only source files that exist, relative to the document or to the root', () => {
    const sources = named(/(?<!\[)`([\w./-]+\.(?:ts|mjs|sql|yml))`/g).filter(({ name }) => !name.endsWith('.spec.ts'));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !exists(source)).map(described)).toEqual([]);
  });

  it('names only programs that have a source file', () => {
    const programs = named(/\bnode (?:\/app\/)?((?:libs|services)\/[\w/-]+\.js)/g);
    expect(programs.length).toBeGreaterThan(4);
    const source = (name: string) => join(ROOT, name.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
    expect(programs.filter(({ name }) => !existsSync(source(name))).map(described)).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const commands = named(/npm run (?:--silent )?([a-z0-9:-]+)/g);
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter(({ name }) => !Object.hasOwn(scripts, name)).map(described)).toEqual([]);
  });

  it('names only tests that exist', () => {
    const specs = named(/`((?:[\w-]+\/)*[\w-]+(?:\.[a-z-]+)?\.spec\.tsx?)`/g);
    expect(specs.length).toBeGreaterThan(30);
    const existing = new Set(pathsOf('{libs,services,deploy,test}/**/*.spec.{ts,tsx}').map((path) => basename(path)));
    const missing = specs.filter((spec) => !(spec.name.includes('/') ? exists(spec) : existing.has(spec.name)));
    expect(missing.map(described)).toEqual([]);
  });

  it(`numbers its decisions, each with its cost and at most ${DECISION_LINES} lines long`, () => {
    const decisions = documents.flatMap(({ path, text }) => {
      const [, section = ''] = text.split(/^## Decisions$/m);
      const paragraphs = section.split(/^#/m, 1)[0]?.split(/^(?=\d+\. )/m) ?? [];
      return paragraphs.slice(1).map((paragraph, index) => ({ path, number: index + 1, paragraph: paragraph.trim() }));
    });
    expect(decisions.length).toBeGreaterThan(10);
    const bad = decisions.filter(
      ({ number, paragraph }) =>
        !paragraph.startsWith(`${number}. **`) ||
        paragraph.split('\n').length > DECISION_LINES ||
        !/\bCost:/.test(paragraph),
    );
    expect(bad.map(({ path, number }) => `${path}: decision ${number}`)).toEqual([]);
  });
});
