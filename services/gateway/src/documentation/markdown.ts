import type { Locale } from '@po/contracts';
import MarkdownIt from 'markdown-it';
import { Markup } from './html.js';

// HTML in a text is shown as it stands, and a link to what a browser would run is no link.
const markdown = new MarkdownIt({ html: false });
markdown.renderer.rules.link_open = (tokens, index, options, env, renderer) => {
  const token = tokens[index];
  const target = String(token?.attrGet('href'));
  if (target.startsWith('/')) token?.attrSet('href', inLanguage(target, env?.locale as Locale));
  return renderer.renderToken(tokens, index, options);
};

/** Paragraphs, lists, `code` and links of a text in CommonMark. */
export const block = (text: string, locale: Locale): Markup => new Markup(markdown.render(text, { locale }));

/** The same for a text of one paragraph, without the paragraph. */
export const inline = (text: string, locale: Locale): Markup => new Markup(markdown.renderInline(text, { locale }));

/** A path of these pages, with or without a fragment, that stays in a language. */
export function inLanguage(target: string, locale: Locale): string {
  const [path, fragment] = target.split('#');
  return `${path}?lang=${locale}${fragment === undefined ? '' : `#${fragment}`}`;
}
