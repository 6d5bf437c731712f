import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { join } from 'node:path';
import { MailServer } from '@po/testing/mail-server';
import PostalMime from 'postal-mime';
import { HOST } from '../processes/ports.js';
import { escapeHtml } from './html.js';

/** Maximum number of mails on the page; the newest are shown. */
const MAX_SHOWN = 200;

export interface Mailbox {
  smtpUrl: string;
  /** Page with the received mails. */
  url: string;
  stop: () => Promise<void>;
}

/** Starts a mail server that delivers nothing: it stores received mails in a folder and shows them on a page. */
export async function startMailbox(folder: string, ports: { smtp: number; http: number }): Promise<Mailbox> {
  await mkdir(folder, { recursive: true });
  const smtp = await MailServer.start({
    port: ports.smtp,
    received: async ({ raw }) => {
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${createHash('sha256').update(raw).digest('hex').slice(0, 8)}`;
      await writeFile(join(folder, `${name}.eml`), raw);
      // Otherwise the memory would grow with every mail.
      smtp.mails.length = 0;
    },
  });
  const http = createServer((request, response) => {
    show(folder, request.url ?? '/', response).catch(() => response.writeHead(500).end());
  });
  await once(http.listen(ports.http, HOST), 'listening');
  return {
    smtpUrl: smtp.url,
    url: `http://${HOST}:${ports.http}/`,
    stop: async () => {
      await Promise.all([smtp.stop(), closed(http)]);
    },
  };
}

const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());

const filesIn = async (folder: string) =>
  (await readdir(folder))
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .reverse();

async function show(folder: string, path: string, response: ServerResponse): Promise<void> {
  const [, name, part] = /^\/([\w.-]+\.eml)(?:\/(html|text))?$/.exec(path) ?? [];
  if (name === undefined) return page(response, await listOf(folder));
  if (!(await filesIn(folder)).includes(name)) return void response.writeHead(404).end();
  const { subject, to, html, text } = await PostalMime.parse(await readFile(join(folder, name)));
  // As in a mail reader, the HTML of a mail must not run scripts or load anything.
  if (part === 'html') return page(response, html ?? '', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  if (part === 'text') return page(response, `<pre>${escapeHtml(text ?? '')}</pre>`);
  page(
    response,
    `<p><a href="/">All mails</a></p><h1>${escapeHtml(subject ?? '')}</h1><p>${escapeHtml(to?.[0]?.address ?? '')}</p>
     <iframe src="/${name}/html" title="HTML" width="48%" height="800"></iframe>
     <iframe src="/${name}/text" title="Text" width="48%" height="800"></iframe>`,
  );
}

async function listOf(folder: string): Promise<string> {
  const files = (await filesIn(folder)).slice(0, MAX_SHOWN);
  const rows = files.map(async (name) => {
    const { subject, to, date } = await PostalMime.parse(await readFile(join(folder, name)));
    const cells = [date ?? '', to?.[0]?.address ?? ''].map((text) => `<td>${escapeHtml(text)}</td>`).join('');
    return `<tr>${cells}<td><a href="/${name}">${escapeHtml(subject ?? '(no subject)')}</a></td></tr>`;
  });
  return `<h1>Mails</h1><table cellpadding="6">${(await Promise.all(rows)).join('')}</table>`;
}

function page(response: ServerResponse, body: string, policy = "default-src 'none'; frame-src 'self'"): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
  response.end(body);
}
