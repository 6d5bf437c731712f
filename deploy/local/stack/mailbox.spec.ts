import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { MailServer } from '@po/testing/mail-server';
import { startMailbox } from './mailbox.js';

/** Sends one mail. Waits for each reply, because the server refuses a client that talks too soon. */
async function send(smtpUrl: string, mail: string): Promise<void> {
  const socket = connect(Number(new URL(smtpUrl).port), '127.0.0.1').setEncoding('utf8');
  const dialogue = ['HELO test', 'MAIL FROM:<a@test.example>', 'RCPT TO:<b@test.example>', 'DATA', `${mail}\r\n.`];
  for (const line of dialogue) {
    await once(socket, 'data');
    socket.write(`${line}\r\n`);
  }
  expect(String(await once(socket, 'data'))).toMatch(/^250 /);
  socket.destroy();
}

it('the mailbox stores each mail as a file, and does not keep it in memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'po-mails-'));
  const starts = jest.spyOn(MailServer, 'start');
  const mailbox = await startMailbox(folder, { smtp: 0, http: 0 });
  const server = await (starts.mock.results[0]?.value as Promise<MailServer>);
  await send(mailbox.smtpUrl, 'Subject: an order\r\n\r\nA change.');
  const [file = ''] = await readdir(folder);
  expect(await readFile(join(folder, file), 'utf8')).toContain('Subject: an order');
  expect(server.mails).toEqual([]);
  await mailbox.stop();
  starts.mockRestore();
  await rm(folder, { recursive: true });
});
