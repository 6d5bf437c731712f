import type { Page } from '../http/pages.js';
import { GUIDE, type Question } from './guide.js';
import { type Markup, html } from './html.js';
import { type Bilingual, pageOf, sample } from './layout.js';
import { block, inLanguage, inline } from './markdown.js';
import type { Locale } from '@po/contracts';

const TITLE: Bilingual = { en: 'Start here', zh: '快速上手' };
const INTRODUCTION: Bilingual = {
  en: 'While `npm start` runs, these commands work unchanged in the folder of the repository, in this order. Elsewhere, `API` is the address of the gateway, and tokens come from your identity provider. Every field: [API reference](/docs), [events](/docs/events), [errors](/problems).',
  zh: '`npm start` 运行期间，以下命令可在代码仓库目录中依次直接执行。在其他环境中，`API` 为网关地址，令牌来自您的身份提供方。逐字段说明：[API 参考](/docs)、[事件](/docs/events)、[错误](/problems)。',
};

/** The guide to common client tasks. */
export const guidePage = (): Page =>
  pageOf({
    path: '/docs/guide',
    title: TITLE,
    main: (locale) => html`
      <h1>${TITLE[locale]}</h1>
      <p>${inline(INTRODUCTION[locale], locale)}</p>
      ${questions(locale)} ${GUIDE.map((each) => section(each, locale))}
    `,
  });

/** Links to the answers of the guide. */
export const questions = (locale: Locale): Markup =>
  html`<ul>
    ${GUIDE.map(
      ({ id, question }) => html`<li><a href="${inLanguage(`/docs/guide#${id}`, locale)}">${question[locale]}</a></li>`,
    )}
  </ul>`;

const section = ({ id, question, answer, shell, notes }: Question, locale: Locale): Markup =>
  html`<section>
    <h2 id="${id}">${question[locale]}</h2>
    ${block(answer[locale], locale)} ${sample(shell)} ${block(notes[locale], locale)}
  </section>`;
