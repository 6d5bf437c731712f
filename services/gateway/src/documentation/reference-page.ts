import { createRequire } from 'node:module';
import { OPENAPI_FILE } from '@po/contracts';
import type { Page } from '../http/pages.js';
import { assetOf, fileAt } from './files.js';
import { questions } from './guide-page.js';
import { html } from './html.js';
import { type Bilingual, pageOf } from './layout.js';
import { inline } from './markdown.js';

const TITLE: Bilingual = { en: 'API reference', zh: 'API 参考' };
const INTRODUCTION: Bilingual = {
  en: 'Every operation, to be tried with a token: paste one after "Authorize". For programs: [openapi.json](/docs/openapi.json). How do I …',
  zh: '全部操作，可用令牌直接试用：点击“Authorize”后粘贴令牌。供程序使用：[openapi.json](/docs/openapi.json)。下文的参考内容为英文。常见问题：',
};
const NEEDS_SCRIPTS: Bilingual = {
  en: 'The reference needs JavaScript; openapi.json does not.',
  zh: '此参考需要 JavaScript；openapi.json 不需要。',
};

/** The reference of the HTTP API (Swagger UI), the OpenAPI document that it shows, and its assets. */
export function referencePages(): Page[] {
  const require = createRequire(import.meta.url);
  const script = assetOf(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'));
  const style = assetOf(require.resolve('swagger-ui-dist/swagger-ui.css'));
  const ownStyle = assetOf(new URL('../../assets/reference.css', import.meta.url));
  const ownScript = assetOf(new URL('../../assets/reference.js', import.meta.url));
  const page = pageOf({
    path: '/docs',
    title: TITLE,
    head: html`
      <link rel="stylesheet" href="${style.path}" />
      <link rel="stylesheet" href="${ownStyle.path}" />
      <script src="${script.path}" defer></script>
      <script src="${ownScript.path}" defer></script>
    `,
    main: (locale) => html`
      <h1>${TITLE[locale]}</h1>
      <p>${inline(INTRODUCTION[locale], locale)}</p>
      ${questions(locale)}
      <noscript><p>${NEEDS_SCRIPTS[locale]}</p></noscript>
    `,
    below: html`<div id="reference" lang="en"></div>`,
    policy: { 'script-src': "'self'", 'connect-src': "'self'", 'img-src': "'self' data:" },
  });
  return [page, fileAt('/docs/openapi.json', OPENAPI_FILE), script, style, ownScript, ownStyle];
}
