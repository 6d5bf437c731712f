import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { textOf } from '@po/testing/documents';
import { eventually } from '@po/testing/eventually';
import { childEnvironment } from '../../deploy/local/config.js';
import { HOST, takePorts } from '../../deploy/local/processes/ports.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { programOf } from '../../deploy/tools/fixtures/ops-tools.js';
import { TOOLS } from '../../deploy/tools/tools.js';
import { composeMail } from '../../services/mail/src/content/compose.js';
import { html } from '../../services/mail/src/content/html.js';
import { plainText } from '../../services/mail/src/content/plain-text.js';
import { messageOf } from '../../services/mail/src/delivery/message.js';
import { openSmtp } from '../../services/mail/src/delivery/smtp.js';
import { waiting } from '../../services/mail/src/fixtures/mailing.js';

/** Of Mailpit's API, what is read here. */
interface Found {
  ID: string;
  MessageID: string;
  From: { Name: string; Address: string };
  To: { Name: string; Address: string }[];
  Subject: string;
  Text: string;
  HTML: string;
  ListUnsubscribe: { Links: string[]; Errors: string; HeaderPost: string };
}
interface HtmlCheck {
  Warnings: { Title: string; Score: { Unsupported: number } }[];
}

const notification = waiting({
  email: 'li@acme.example',
  locale: 'zh',
  createdAt: '2026-03-08T06:30:00.000Z',
  poRef: '订单/1',
  poNumber: '订单/1',
  vendor: '宁波服装有限公司',
  comment: '面料晚到，\n.\n请改期 <b>🧵</b>',
  actorName: '李伟',
  titleZh: '订单/1：李伟 批准 → 已确认',
  changes: { header: [{ field: 'xfDate', from: '2026-03-01', to: '2026-03-15' }], lines: [], more: 2 },
});
const document = composeMail([notification], {
  mode: 'now',
  locale: 'zh',
  timeZone: 'Asia/Shanghai',
  publicUrl: 'https://orders.example.com',
  unsubscribeUrl: 'https://orders.example.com/unsubscribe?token=t.t',
});
const from = { name: '采购订单', address: 'orders@example.com' };
const message = messageOf({
  from,
  to: 'li@acme.example',
  document,
  notificationIds: [notification.id],
  poRef: notification.poRef,
});

describe('Mailpit, which the compose file starts', () => {
  let dir: string;
  let processes: Processes;
  let smtp: number;
  let api: string;
  let found: Found;
  const read = async <T>(path: string) => (await (await fetch(`${api}${path}`)).json()) as T;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'po-mailpit-'));
    processes = new Processes(dir);
    const ports = await takePorts(dir, ['smtp', 'http']);
    smtp = ports.smtp;
    api = `http://${HOST}:${ports.http}/api/v1`;
    const listening = ['--smtp', `${HOST}:${smtp}`, '--listen', `${HOST}:${ports.http}`];
    processes.start('store', {
      name: 'mailpit',
      command: programOf('mailpit'),
      args: [...listening, '--database', join(dir, 'mails.db'), '--smtp-disable-rdns', '--disable-version-check'],
      env: childEnvironment({}),
      cwd: dir,
      log: join(dir, 'log'),
      stopWithinMs: 3_000,
    });
    await eventually('Mailpit answers', async () => (await fetch(`${api}/messages`)).ok);
    const connections = await openSmtp({ SMTP_URL: `smtp://${HOST}:${smtp}` }, from, 1);
    const attempt = await connections.send(message);
    connections.close();
    if (attempt.result !== 'sent') throw new Error(`Mailpit took no mail: ${attempt.reason}`);
    found = await read<Found>('/message/latest');
  }, 30_000);
  afterAll(async () => {
    await processes.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('is of the minor version that is tested here', () => {
    const [, minor = ''] = /axllent\/mailpit:(v\d+\.\d+)/.exec(textOf('docker-compose.yml')) ?? [];
    expect(TOOLS.mailpit.version).toMatch(new RegExp(`^${minor.replace('.', '\\.')}\\.`));
  });

  it('shows a Chinese mail of one order as it was written', () => {
    const lines = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
    expect(found).toMatchObject({
      From: { Name: '采购订单', Address: 'orders@example.com' },
      To: [{ Address: 'li@acme.example' }],
      Subject: '订单/1：李伟 批准 → 已确认',
      MessageID: String(message.messageId).replace(/[<>]/g, ''),
    });
    expect(lines(found.Text)).toBe(lines(plainText(document)));
    expect(lines(found.HTML)).toBe(lines(html(document)));
  });

  it('finds how to unsubscribe, by one click (RFC 8058)', async () => {
    expect(found.ListUnsubscribe).toMatchObject({
      Links: ['https://orders.example.com/unsubscribe?token=t.t'],
      HeaderPost: 'List-Unsubscribe=One-Click',
      Errors: '',
    });
    const headers = await read<Record<string, string[]>>(`/message/${found.ID}/headers`);
    expect(headers).toMatchObject({
      'Auto-Submitted': ['auto-generated'],
      References: [message.references],
      'List-Unsubscribe': ['<https://orders.example.com/unsubscribe?token=t.t>'],
    });
  });

  it('knows of nothing in its HTML that most mail readers lack', async () => {
    const { Warnings: warnings } = await read<HtmlCheck>(`/message/${found.ID}/html-check`);
    expect(warnings.filter(({ Score }) => Score.Unsupported > 50).map(({ Title }) => Title)).toEqual([]);
  });
});
