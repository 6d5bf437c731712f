import type { Locale } from '@po/contracts';
import MarkdownIt from 'markdown-it';
import { Markup } from './html.js';

// HTML in a text is shown literally, and a link that a browser would execute is not rendered as a link.
const markdown = new MarkdownIt({ html: false });
markdown.renderer.rules.link_open = (tokens, index, options, env, renderer) => {
  const token = tokens[index];
  const target = String(token?.attrGet('href'));
  if (target.startsWith('/')) token?.attrSet('href', inLanguage(target, env?.locale as Locale));
  return renderer.renderToken(tokens, index, options);
};

/** Renders paragraphs, lists, `code` and links of a CommonMark text. */
export const block = (text: string, locale: Locale): Markup => new Markup(markdown.render(text, { locale }));

/** Renders a text of one paragraph, without the paragraph element. */
export const inline = (text: string, locale: Locale): Markup => new Markup(markdown.renderInline(text, { locale }));

/** Adds the language to a path of these pages, which may have a fragment. */
export function inLanguage(target: string, locale: Locale): string {
  const [path, fragment] = target.split('#');
  return `${path}?lang=${locale}${fragment === undefined ? '' : `#${fragment}`}`;
}
