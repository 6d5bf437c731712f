import { STATUS_CODES } from 'node:http';
import {
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  type Locale,
  PROBLEM_CONTENT_TYPE,
  REMEDIES,
  problemDocument,
  problemPathOf,
} from '@po/contracts';
import type { Page } from '../http/pages.js';
import { API_ROOT } from '../http/route-table.js';
import { errorCodesOf } from '../routes/error-codes.js';
import { type Operation, pathTemplateOf } from '../routes/operation.js';
import { OPERATIONS } from '../routes/operations.js';
import { type Markup, html } from './html.js';
import { type Bilingual, pageOf, sample, table } from './layout.js';
import { inLanguage, inline } from './markdown.js';
import { rowsOfMembers } from './problem-members.js';
import { SAMPLES } from './problem-samples.js';

const WORDS = {
  all: { en: 'Errors', zh: '错误' },
  when: { en: 'When it happens', zh: '何时出现' },
  where: { en: 'Where it happens', zh: '何处出现' },
  everywhere: { en: 'Every operation can return it.', zh: '任何操作都可能返回此错误。' },
  remedy: { en: 'What to do', zh: '如何处理' },
  example: { en: 'Example', zh: '示例' },
  members: { en: 'Members', zh: '成员' },
  member: { en: 'Member', zh: '成员' },
  type: { en: 'Type', zh: '类型' },
  meaning: { en: 'Meaning', zh: '含义' },
  status: { en: 'Status', zh: '状态码' },
  code: { en: 'Code', zh: '代码' },
} satisfies Record<string, Bilingual>;

const INTRODUCTION: Bilingual = {
  en: `Every error is \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). Programs decide by \`code\`,
which never changes; people read \`detail\`, in the language of \`Accept-Language\`; \`type\` is the path of one of these pages.`,
  zh: `所有错误均以 \`application/problem+json\`（[RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)）返回。程序按 \`code\` 判断，它永不改变；
\`detail\` 供人阅读，语言随 \`Accept-Language\`；\`type\` 是以下页面之一的路径。`,
};

const LINKS = Object.entries<Operation>(OPERATIONS).map(([id, operation]) => ({
  name: `${operation.method} ${API_ROOT}${pathTemplateOf(operation)}`,
  link: `/docs#/${encodeURIComponent(operation.tag)}/${id}`,
  codes: errorCodesOf(operation),
}));

/** The list of all codes and a page for each, at the `type` of a problem. */
export const problemPages = (): Page[] => [listOfProblems(), ...ERROR_CODES.map(problemPage)];

const listOfProblems = (): Page =>
  pageOf({
    path: '/problems',
    title: WORDS.all,
    main: (locale) => html`
      <h1>${WORDS.all[locale]}</h1>
      <p>${inline(INTRODUCTION[locale], locale)}</p>
      ${table(
        [WORDS.status[locale], WORDS.code[locale], WORDS.when[locale]],
        ERROR_CODES.map((code) => [
          String(ERRORS[code].status),
          html`<a href="${inLanguage(problemPathOf(code), locale)}"><code>${code}</code></a>`,
          inline(REMEDIES[code].cause[locale], locale),
        ]),
      )}
    `,
  });

function problemPage(code: ErrorCode): Page {
  const { status, title } = ERRORS[code];
  const { cause, remedy } = REMEDIES[code];
  return pageOf({
    path: problemPathOf(code),
    route: '/problems/:code',
    title,
    main: (locale) => html`
      <h1>${title[locale]}</h1>
      <p><code>${code}</code>, HTTP ${statusOf(status)}</p>
      <h2>${WORDS.when[locale]}</h2>
      <p>${inline(cause[locale], locale)}</p>
      <h2>${WORDS.remedy[locale]}</h2>
      <p>${inline(remedy[locale], locale)}</p>
      ${whereOf(code, locale)}
      <h2>${WORDS.example[locale]}</h2>
      ${exampleOf(code, locale)}
      <h2>${WORDS.members[locale]}</h2>
      ${table([WORDS.member[locale], WORDS.type[locale], WORDS.meaning[locale]], rowsOfMembers(code, locale))}
    `,
  });
}

/** Operations that can be refused with this code; null if there are none. */
function whereOf(code: ErrorCode, locale: Locale): Markup | null {
  const refused = LINKS.filter(({ codes }) => codes.includes(code));
  if (refused.length === 0) return null;
  const all = refused.length === LINKS.length;
  return html`<h2>${WORDS.where[locale]}</h2>
    ${
      all
        ? html`<p>${WORDS.everywhere[locale]}</p>`
        : html`<ul>
            ${refused.map(
              ({ name, link }) =>
                html`<li>
                  <a href="${inLanguage(link, locale)}"><code>${name}</code></a>
                </li>`,
            )}
          </ul>`
    }`;
}

const statusOf = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`;

/** The request, and the response as sent over the wire. */
function exampleOf(code: ErrorCode, locale: Locale): Markup {
  const { method, instance, problem } = SAMPLES[code];
  const body = problemDocument(problem, { locale, instance, requestId: '5b0cf3a8-4a39-4f6c-9d0b-7d1f5a3c2e10' });
  const headers = {
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-language': locale,
    ...problem.options.headers,
    'x-request-id': body.requestId,
  };
  const lines = [
    `HTTP/1.1 ${statusOf(problem.status)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return html`
    ${sample(`${method} ${instance}`)} ${sample(`${lines.join('\n')}\n\n${JSON.stringify(body, null, 2)}`)}
  `;
}
