import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { TOPIC_MANIFEST, statusOf, topicSettings } from '@po/contracts';
import type { z } from 'zod';
import { DEMO_USERS } from '../deploy/local/demo/users.js';
import { TopicsJobSettings } from '../libs/messaging/src/topics/config.js';
import { Settings as DashboardSettings } from '../services/dashboard/src/config.js';
import { GatewaySettings } from '../services/gateway/src/config.js';
import { Settings as NotificationsSettings } from '../services/notifications/src/config.js';
import { Settings as PurchaseOrdersSettings } from '../services/purchase-orders/src/config.js';
import { workflowRows } from '../services/purchase-orders/src/domain/workflow.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LEFT_OUT = ['node_modules', 'dist', '.local', '.git'];
const README_LINES = 160;
const DOCUMENT_LINES = 250;
const LINE_LENGTH = 160;
const DECISION_LINES = 8;

/** Paths from the root of the files that a pattern matches. */
const pathsOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => LEFT_OUT.includes(basename(path)) });
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

const documents = pathsOf('**/*.md').map((path) => ({ path, text: textOf(path) }));
const documentOf = (path: string): string => documents.find((document) => document.path === path)?.text ?? '';

/** What the pattern's first group found in all documents, and where the document's own paths begin. */
const named = (pattern: RegExp) =>
  documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, name = '', ...more]) => ({ document: path, from: dirname(path), name, more })),
  );
/** A path as a document writes it: from itself or from the root. */
const exists = ({ from, name }: { from: string; name: string }): boolean =>
  existsSync(join(ROOT, from, name)) || existsSync(join(ROOT, name));
const described = ({ document, name }: { document: string; name: string }): string => `${document}: ${name}`;

const links = named(/\]\(([^)\s]+)\)/g)
  .filter(({ name }) => !/^https?:/.test(name))
  .map((link) => {
    const [path = '', heading] = link.name.split('#');
    return { ...link, target: path === '' ? link.document : join(link.from, path), heading };
  });

/** A heading's name in a link, as GitHub makes it. */
const anchorsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** What stands in a document between two markers. */
function blockOf(document: string, name: string): string {
  return new RegExp(`<!-- ${name}:start -->([\\s\\S]*?)<!-- ${name}:end -->`).exec(documentOf(document))?.[1] ?? '';
}

/** Cells of the Markdown table between two markers, its two head lines left out. */
const tableOf = (document: string, name: string): string[][] =>
  blockOf(document, name)
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('every document', () => {
  it('was found', () => {
    const parts = ['libs/contracts', 'libs/messaging', 'deploy', 'test/bench', 'test/faults'];
    const expected = ['README.md', 'CONTRIBUTING.md', ...parts.map((part) => `${part}/README.md`)];
    expect(documents.map(({ path }) => path)).toEqual(expect.arrayContaining(expected));
  });

  it(`has at most ${DOCUMENT_LINES} lines, the README ${README_LINES}, and no line above ${LINE_LENGTH} characters`, () => {
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
        !existsSync(join(ROOT, target)) || (heading !== undefined && !anchorsOf(textOf(target)).includes(heading)),
    );
    expect(broken.map(described)).toEqual([]);
  });

  it('names a file in a link as it is named', () => {
    const files = named(/\[`([\w./-]+\.(?:ts|mjs|sql|yml|md))`\]\(([^)#\s]+)/g);
    expect(files.length).toBeGreaterThan(20);
    const misleading = files.filter(({ from, name, more: [path = ''] }) => !join('/', from, path).endsWith(`/${name}`));
    expect(misleading.map(described)).toEqual([]);
  });

  it('names functions that are in the linked file', () => {
    const functions = named(/`(\w+)` in\s+\[[^\]]*\]\(([^)#\s]+)\)/g);
    expect(functions.length).toBeGreaterThan(1);
    const gone = functions.filter(
      ({ from, name, more: [path = ''] }) => !new RegExp(`\\b${name}\\b`).test(textOf(join(from, path))),
    );
    expect(gone.map(described)).toEqual([]);
  });

  it('names only source files that exist, from itself or from the root', () => {
    const sources = named(/(?<!\[)`([\w./-]+\.(?:ts|mjs|sql|yml))`/g).filter(({ name }) => !name.endsWith('.spec.ts'));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !exists(source)).map(described)).toEqual([]);
  });

  it('names only programs that are built', () => {
    const programs = named(/\bnode ((?:libs|services)\/[\w/-]+\.js)/g);
    expect(programs.length).toBeGreaterThan(4);
    const source = (name: string) => join(ROOT, name.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
    expect(programs.filter(({ name }) => !existsSync(source(name))).map(described)).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const commands = named(/npm run (?:--silent )?([a-z0-9:-]+)/g);
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter(({ name }) => !Object.hasOwn(scripts, name)).map(described)).toEqual([]);
  });

  it('names only tests that exist', () => {
    const specs = named(/`((?:[\w-]+\/)*[\w-]+(?:\.(?:int|e2e|fault|cluster|upgrade))?\.spec\.ts)`/g);
    expect(specs.length).toBeGreaterThan(30);
    const existing = new Set(pathsOf('{libs,services,deploy,test}/**/*.spec.ts').map((path) => basename(path)));
    const missing = specs.filter((spec) => !(spec.name.includes('/') ? exists(spec) : existing.has(spec.name)));
    expect(missing.map(described)).toEqual([]);
  });

  it(`numbers its decisions and takes at most ${DECISION_LINES} lines for one, its cost among them`, () => {
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

describe('the README', () => {
  it('has the workflow of the code', () => {
    const expected = workflowRows().map(({ statusId, action, roles, to }) => {
      const { status, statusZh } = statusOf(statusId);
      return [String(statusId), status, statusZh, action, roles.join(', '), `${to} ${statusOf(to).status}`];
    });
    expect(tableOf('README.md', 'workflow')).toEqual(expected);
  });

  it('names every demo user', () => {
    const [line = ''] = /^Demo users: .*$/m.exec(documentOf('README.md')) ?? [];
    expect([...line.matchAll(/`([^`]+)`/g)].map(([, user]) => user)).toEqual(Object.keys(DEMO_USERS));
  });
});

describe('what is said of the configuration', () => {
  const DOCUMENT = 'deploy/CONFIGURATION.md';
  const services: Record<string, z.ZodRawShape> = {
    gateway: GatewaySettings.shape,
    'purchase-orders': PurchaseOrdersSettings.shape,
    notifications: NotificationsSettings.shape,
    dashboard: DashboardSettings.shape,
  };
  const isCommon = (variable: string) =>
    Object.values(services).every((shape) => shape[variable] === services.gateway?.[variable]);
  const defaultOf = (schema: z.ZodType): string => {
    const { success, data } = schema.safeParse(undefined);
    if (!success) return 'needed';
    const values = data instanceof Set || Array.isArray(data) ? [...data] : [data];
    const text = values.join(',');
    return text === '' ? '' : `\`${text}\``;
  };
  const rowsOf = (shape: z.ZodRawShape, wanted: (variable: string) => boolean): string[][] =>
    Object.entries(shape as Record<string, z.ZodType>)
      .filter(([variable]) => wanted(variable))
      .map(([variable, schema]) => [`\`${variable}\``, defaultOf(schema), schema.meta()?.description ?? '']);

  it('has the variables that every service reads', () => {
    const rows = rowsOf(GatewaySettings.shape, isCommon);
    expect(rows.length).toBeGreaterThan(5);
    expect(tableOf(DOCUMENT, 'configuration every')).toEqual(rows);
  });

  it.each(Object.keys(services))('has every other variable of %s, with its default and meaning', (service) => {
    const rows = rowsOf(services[service] ?? {}, (variable) => !isCommon(variable));
    expect(tableOf(DOCUMENT, `configuration ${service}`)).toEqual(rows);
  });

  it('has every setting that the topics job alone has, in a document of its own', () => {
    const rows = rowsOf(TopicsJobSettings.shape, (variable) => !Object.hasOwn(GatewaySettings.shape, variable));
    expect(tableOf('deploy/TOPICS.md', 'configuration topics')).toEqual(rows);
  });

  it('names only metrics that exist', () => {
    const metrics = tableOf('deploy/README.md', 'metrics').flatMap(([names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(metrics.length).toBeGreaterThan(5);
    const sources = pathsOf('{libs,services}/*/src/**/*.ts').map(textOf);
    expect(metrics.filter((name) => !sources.some((source) => source.includes(`'${name}'`)))).toEqual([]);
  });
});

describe('what is said of topics', () => {
  const kept = (retention: number | 'compact'): string => {
    if (retention === 'compact') return 'compacted';
    const minutes = retention / 60_000;
    return minutes < 60 ? `${minutes} min` : `${minutes / (24 * 60)} d`;
  };

  it('says of every retention when a record is gone', () => {
    const [CHECK, DELAY] = [5 * 60_000, 60_000];
    const shown = (ms: number) =>
      ms < 3_600_000 ? `${ms / 60_000} min` : `${Math.floor(ms / 3_600_000)} h ${(ms % 3_600_000) / 60_000} min`;
    const timed = new Map(
      TOPIC_MANIFEST.filter(({ retention }) => retention !== 'compact').map((topic) => [topic.retention, topic]),
    );
    const rows = [...timed]
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([retention, topic]) => {
        const gone = Number(retention) + Number(topicSettings({ ...topic, minInsync: 1 })['segment.ms']) + CHECK;
        return [kept(retention), shown(gone), shown(gone + DELAY)];
      });
    expect(tableOf('deploy/TOPICS.md', 'forgetting')).toEqual(rows);
  });

  it('has every topic, its partitions and how long it is kept', () => {
    const rows = TOPIC_MANIFEST.map(({ topic, partitions, retention }) => [
      topic.endsWith('.dlq.v1') ? '`<consumer group>.dlq.v1`' : `\`${topic}\``,
      String(partitions),
      kept(retention),
    ]);
    const expected = [...new Map(rows.map((row) => [row.join(), row])).values()];
    expect(tableOf('libs/contracts/README.md', 'topics').map((row) => row.slice(0, 3))).toEqual(expected);
  });
});

describe('the README of messaging', () => {
  it('says of every promise which tests show it', () => {
    const promises = blockOf('libs/messaging/README.md', 'promises').split(/^- /m).slice(1);
    expect(promises.length).toBeGreaterThan(10);
    const scenarios = pathsOf('test/faults/scenarios/*.ts').map((path) => basename(path, '.ts'));
    const unshown = promises.filter((promise) => {
      const [, shownBy = ''] = promise.split('Shown by ');
      const faults = /faults: ([a-z]+(?:, [a-z]+)*)/.exec(shownBy)?.[1]?.split(', ') ?? [];
      const isShown = /\.spec\.ts`|every fault/.test(shownBy) || faults.length > 0;
      return !isShown || !faults.every((fault) => scenarios.includes(fault));
    });
    expect(unshown).toEqual([]);
  });
});
