import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Html } from '@react-email/html';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Block, MailDocument } from './document.js';
import { TEXTS } from './texts.js';

const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

// Uses classes, because inline styles of up to fifty rows would be half of the mail. Readers that ignore them still show plain tables.
const STYLES = `
  body { margin: 0; background-color: #f3f4f6; color: #1f2937; font-family: -apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', sans-serif; font-size: 15px; line-height: 22px }
  .card { background-color: #ffffff; border-radius: 8px; padding: 24px }
  h1, p, blockquote, .rows td { word-break: break-word }
  h1 { font-size: 20px; line-height: 28px; margin: 0 0 16px }
  p { margin: 0 0 4px }
  .what { font-weight: 600; margin-top: 16px }
  .quiet { color: #4b5563; font-size: 13px; line-height: 20px }
  blockquote { margin: 12px 0; padding: 4px 12px; border-left: 3px solid #9ca3af; white-space: pre-line }
  .rows { width: 100%; border-collapse: collapse; margin: 16px 0 8px }
  .rows th { text-align: left; font-size: 13px; color: #4b5563; padding: 4px 12px 4px 0 }
  .rows td { border-top: 1px solid #d1d5db; padding: 8px 12px 8px 0; vertical-align: top }
  .orders td:first-child, .orders td:last-child { min-width: 9em }
  a { color: #1d4ed8 }
  @media (max-width: 480px) {
    .card { padding: 16px }
    .rows { font-size: 13px; line-height: 20px }
    .rows th, .rows td { padding-right: 8px }
    .orders thead { display: none }
    .orders td { display: block; border: 0; padding: 0 }
    .orders td:first-child { border-top: 1px solid #d1d5db; padding-top: 8px; font-size: 15px }
    .orders td:last-child { padding-bottom: 8px }
  }
  @media (prefers-color-scheme: dark) {
    body, .page { background-color: #111827 !important; color: #e5e7eb !important }
    .card { background-color: #1f2937 !important }
    .quiet, .rows th { color: #9ca3af !important }
    .rows td { border-top-color: #4b5563 !important }
    blockquote { border-left-color: #6b7280 !important }
    a { color: #93c5fd }
    .button { background-color: #2563eb !important }
  }`;

/** Renders a mail as HTML. React escapes every text. */
export function html(document: MailDocument): string {
  return `${DOCTYPE}${renderToStaticMarkup(<Mail document={document} />)}`;
}

function Mail({ document: { locale, subject, heading, blocks, button, footer } }: { document: MailDocument }) {
  return (
    <Html lang={locale === 'zh' ? 'zh-CN' : 'en'}>
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{STYLES}</style>
      </Head>
      <Body className="page">
        <Container className="card" style={{ maxWidth: '640px', margin: '24px auto' }}>
          <h1>{heading}</h1>
          {blocks.map((block, index) => (
            <Part key={`${block.type}-${index}`} block={block} columns={TEXTS[locale].columns} />
          ))}
          <Button
            className="button"
            href={button.url}
            style={{
              backgroundColor: '#1d4ed8',
              borderRadius: '6px',
              color: '#ffffff',
              fontWeight: 600,
              margin: '20px 0',
              padding: '12px 20px',
            }}
          >
            {button.label}
          </Button>
          <p className="quiet">{footer.why}</p>
          <p className="quiet">
            <a href={footer.unsubscribe.url}>{footer.unsubscribe.label}</a>
          </p>
        </Container>
      </Body>
    </Html>
  );
}

function Part({ block, columns }: { block: Block; columns: (typeof TEXTS)['en']['columns'] }) {
  switch (block.type) {
    case 'event':
      return (
        <>
          <p className="what">{block.what}</p>
          <p className="quiet">{block.who}</p>
        </>
      );
    case 'comment':
      return <blockquote>{block.text}</blockquote>;
    case 'changes':
      return (
        <Rows className="rows" head={[columns.field, columns.from, columns.to]}>
          {block.rows.map(({ label, from, to }, index) => (
            <tr key={`${label}-${index}`}>
              <td>{label}</td>
              <td>{from}</td>
              <td>{to}</td>
            </tr>
          ))}
        </Rows>
      );
    case 'orders':
      return (
        <Rows className="rows orders" head={[columns.order, columns.vendor, columns.what, columns.status]}>
          {block.rows.map(({ order, url, vendor, what, status }) => (
            <tr key={url}>
              <td>
                <a href={url}>{order}</a>
              </td>
              <td>{vendor}</td>
              <td>{what}</td>
              <td>{status}</td>
            </tr>
          ))}
        </Rows>
      );
    case 'note':
      return <p className="quiet">{block.text}</p>;
    default:
      return block satisfies never;
  }
}

const Rows = ({ className, head, children }: { className: string; head: string[]; children: ReactNode }) => (
  <table className={className}>
    <thead>
      <tr>
        {head.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);
