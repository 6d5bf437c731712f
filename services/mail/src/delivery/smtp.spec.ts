import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSmtp } from './smtp.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'po-smtp-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a round of mails', () => {
  it.each([
    ['SMTP_TLS_CA_FILE', /certificate/],
    ['DKIM_KEY_FILE', /DECODER/],
  ])('does not begin while %s is empty', async (setting, message) => {
    const path = join(folder, 'file.pem');
    await writeFile(path, '');
    const settings = { SMTP_URL: 'smtp://mail.example.com', [setting]: path };
    await expect(openSmtp(settings, { name: '', address: 'orders@example.com' }, 1)).rejects.toThrow(message);
  });
});
