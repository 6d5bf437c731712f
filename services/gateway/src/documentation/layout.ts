import type { Locale } from '@po/contracts';
import type { Page } from '../http/pages.js';
import { assetOf } from './files.js';
import { type Markup, html } from './html.js';
import { inLanguage } from './markdown.js';

export type Bilingual = Record<Locale, string>;

export const STYLESHEET = assetOf(new URL('../../assets/pages.css', import.meta.url));

const POLICY = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': 'data:',
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

const CHAPTERS: readonly { path: string; name: Bilingual }[] = [
  { path: '/docs/guide', name: { en: 'Start here', zh: '快速上手' } },
  { path: '/docs', name: { en: 'API reference', zh: 'API 参考' } },
  { path: '/docs/events', name: { en: 'Events', zh: '事件' } },
  { path: '/problems', name: { en: 'Errors', zh: '错误' } },
];

const LANGUAGES: Bilingual = { en: 'English', zh: '中文' };
const SKIP: Bilingual = { en: 'Skip to the content', zh: '跳到正文' };
const DOCUMENTS: Bilingual = { en: 'Documents', zh: '文档' };

export interface Document {
  path: string;
  /** Route template for metrics and logs; `path` if absent. */
  route?: string;
  title: Bilingual;
  main: (locale: Locale) => Markup;
  /** Content after the main part that has its own style and `main` element. */
  below?: Markup;
  /** Elements of the head for this page only. */
  head?: Markup;
  /** Content-Security-Policy directives for what the page loads besides the stylesheet. */
  policy?: Record<string, string>;
}

/** A complete page in both languages: head, links to the other pages and to the other language, and content. */
export function pageOf(document: Document): Page {
  const { path, route = path, policy } = document;
  const directives = Object.entries({ ...POLICY, ...policy });
  return {
    path,
    route,
    mediaType: 'text/html; charset=utf-8',
    content: { en: render(document, 'en'), zh: render(document, 'zh') },
    contentSecurityPolicy: directives.map((directive) => directive.join(' ')).join('; '),
    immutable: false,
  };
}

function render({ path, title, main, below, head }: Document, locale: Locale): Buffer {
  const other = locale === 'en' ? 'zh' : 'en';
  const isHere = (chapter: string) => path === chapter || (chapter === '/problems' && path.startsWith('/problems/'));
  const { text } = html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title[locale]}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${STYLESHEET.path}" />
        ${head ?? null}
      </head>
      <body>
        <a class="skip" href="#content">${SKIP[locale]}</a>
        <header>
          <nav aria-label="${DOCUMENTS[locale]}">
            ${CHAPTERS.map(
              (chapter) =>
                html`<a
                  href="${inLanguage(chapter.path, locale)}"
                  aria-current="${isHere(chapter.path) ? 'page' : 'false'}"
                  >${chapter.name[locale]}</a
                >`,
            )}
          </nav>
          <a class="language" href="${inLanguage(path, other)}" hreflang="${other}" lang="${other}"
            >${LANGUAGES[other]}</a
          >
        </header>
        ${
          below
            ? html`<section id="content" class="text" aria-label="${title[locale]}" tabindex="-1">
                  ${main(locale)}
                </section>
                ${below}`
            : html`<main id="content" class="text" tabindex="-1">${main(locale)}</main>`
        }
      </body>
    </html>`;
  return Buffer.from(text);
}

/** A table that scrolls on its own if the screen is too narrow. */
export const table = (heads: readonly string[], rows: readonly (readonly (string | Markup)[])[]): Markup =>
  html`<div class="wide" tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** Literal text, such as a command or a response. */
export const sample = (text: string): Markup => html`<pre tabindex="0"><code>${text}</code></pre>`;
