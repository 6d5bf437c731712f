import type { Block, MailDocument } from './document.js';
import { TEXTS } from './texts.js';

/** Renders a mail as plain text, with the same content as the HTML. */
export function plainText({ heading, blocks, button, footer, locale }: MailDocument): string {
  const colon = locale === 'zh' ? '：' : ': ';
  return [
    heading,
    '='.repeat(Math.min(72, heading.length)),
    '',
    ...blocks.flatMap((block) => [...linesOf(block, TEXTS[locale].columns, colon), '']),
    `${button.label}${colon}${button.url}`,
    '',
    '-- ',
    footer.why,
    `${footer.unsubscribe.label}${colon}${footer.unsubscribe.url}`,
    '',
  ].join('\n');
}

function linesOf(block: Block, columns: (typeof TEXTS)['en']['columns'], colon: string): string[] {
  switch (block.type) {
    case 'event':
      return [block.what, block.who];
    case 'comment':
      return block.text.split('\n').map((line) => `> ${line}`);
    case 'changes':
      return [
        `${columns.field}${colon}${columns.from} -> ${columns.to}`,
        ...block.rows.map(({ label, from, to }) => `- ${label}${colon}${from} -> ${to}`),
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
