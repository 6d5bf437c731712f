import type { Block, MailDocument } from './document.js';
import { TEXTS } from './texts.js';

/** The mail for a reader without HTML; it says what the HTML says. */
export function plainText({ heading, blocks, button, footer, locale }: MailDocument): string {
  return [
    heading,
    '='.repeat(Math.min(72, heading.length)),
    '',
    ...blocks.flatMap((block) => [...linesOf(block, TEXTS[locale].columns), '']),
    `${button.label}: ${button.url}`,
    '',
    '-- ',
    footer.why,
    `${footer.unsubscribe.label}: ${footer.unsubscribe.url}`,
    '',
  ].join('\n');
}

function linesOf(block: Block, columns: (typeof TEXTS)['en']['columns']): string[] {
  switch (block.type) {
    case 'event':
      return [block.what, block.who];
    case 'comment':
      return block.text.split('\n').map((line) => `> ${line}`);
    case 'changes':
      return [
        `${columns.field}: ${columns.from} -> ${columns.to}`,
        ...block.rows.map(({ label, from, to }) => `- ${label}: ${from} -> ${to}`),
      ];
    case 'orders':
      return [
        [columns.order, columns.vendor, columns.what, columns.status].join(' | '),
        ...block.rows.flatMap(({ order, url, vendor, what, status }) => [
          `- ${[order, vendor, what, status].join(' | ')}`,
          `  ${url}`,
        ]),
      ];
    case 'note':
      return [block.text];
    default:
      return block satisfies never;
  }
}
