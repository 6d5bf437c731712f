import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { HistoryEntry } from '@po/contracts';
import { banner } from '../../deploy/local/commands/banner.js';
import { run } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { OPERATIONS } from '../../services/gateway/src/routes/operations.js';
import { GUIDE } from '../../services/gateway/src/documentation/guide.js';
import { documentOf } from '@po/testing/documents';
import { eventually } from '@po/testing/eventually';
import { readStack, stackFolder } from '../support/stack.js';
import { type World, detailOf, historyOf, newPoNumber, openWorld } from './world.js';

/** Arguments of `run` or `spawn` that run these shell commands as a user of "npm start" does. */
const inShell = (lines: string) => {
  const script = lines.replaceAll('http://127.0.0.1:8080', readStack().gatewayUrl);
  const options = { cwd: REPOSITORY, env: { ...process.env, PO_LOCAL_DIR: stackFolder() } };
  return ['sh', ['-euc', script], options] as const;
};

describe('the documentation that a running gateway serves', () => {
  let world: World;
  let poRef: string;
  beforeAll(async () => {
    world = openWorld();
    // Enough orders for more than one page.
    for (let order = 0; order < 3; order += 1) ({ poNumber: poRef } = await world.importOrder());
  });

  const open = async (url: string, language: string) => {
    const response = await fetch(url, { headers: { 'accept-language': language } });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  it('opens at the address that "npm start" prints', async () => {
    const text = banner({ stack: readStack(), dir: stackFolder(), startedAs: '' });
    const address = /^ +documents +(\S+)$/m.exec(text)?.[1] ?? '';
    expect(await open(address, 'en')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
  });

  it('includes the OpenAPI document with this gateway as its server', async () => {
    const { gatewayUrl, tokens } = readStack();
    const document = (await (await fetch(`${gatewayUrl}/docs/openapi.json`)).json()) as {
      servers: { url: string }[];
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
    expect(ids.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
    const answer = await fetch(new URL(`${document.servers[0]?.url}/me`, `${gatewayUrl}/docs/openapi.json`), {
      headers: { 'x-user-token': tokens.buyer },
    });
    expect(answer.status).toBe(200);
  });

  describe('its shell commands', () => {
    it('have the results that the guide describes', async () => {
      const questions = GUIDE.filter(({ id }) => id !== 'live');
      const script = questions.map(({ id, shell }) => `echo; echo '@@@ ${id}'\n${shell}`).join('\n');
      const output = await run(...inShell(script));
      const outputs = Object.fromEntries(
        output.split('\n@@@ ').map((part) => [part.split('\n', 1)[0], part.slice(part.indexOf('\n') + 1)]),
      );
      expect(Object.keys(outputs).slice(1)).toEqual(questions.map(({ id }) => id));
      expect(outputs.token).toContain('"vendorCode":"ACME"');
      expect(outputs.list).toContain(`"poRef":"${poRef}"`);
      expect(outputs.edit).toContain('"vendorReplyXfd":"2030-01-15"');
      expect(outputs.edit).toContain('"vendorReplyQty":90');
      expect(outputs.submit).toContain('"newStatusId":200');
      expect(outputs.retry?.match(/^HTTP\/1\.1 200 /gm)).toHaveLength(2);
      expect(outputs.retry?.match(/^idempotency-replayed: true/gm)).toHaveLength(1);
      expect(outputs.page).toMatch(/^link: .*rel="next"/m);
      expect(outputs.page).toMatch(/^x-total-count: \d+/m);
      expect(outputs.refusals).toContain('"code":"TRANSITION_NOT_ALLOWED"');
      expect(outputs.refusals).toContain('"code":"VERSION_MISMATCH"');
      expect(outputs.refusals).toMatch(/"pagination":\{[^}]*\}\}\n*$/);
      const history: HistoryEntry[] = await historyOf(world.as('buyer'), poRef);
      expect(history.map(({ action }) => action)).toEqual(['RECALL', 'SUBMIT', 'IMPORT']);
    });

    it('take an order from import to approval as described in the README', async () => {
      const [, section = ''] = /^## Try one order with curl(.*?)^## /ms.exec(documentOf('README.md')) ?? [];
      const poNumber = newPoNumber();
      const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = '']) => lines);
      expect(blocks).toHaveLength(3);
      await run(...inShell(blocks.join('\n').replaceAll('PO-DEMO-1', poNumber)));
      const history: HistoryEntry[] = await historyOf(world.as('buyer'), poNumber);
      expect(history.map(({ action }) => action)).toEqual(['APPROVE', 'SUBMIT', 'IMPORT']);
      expect(await detailOf(world.as('buyer'), poNumber)).toMatchObject({ xfDate: '2027-03-15' });
    });

    it('follow changes live', async () => {
      const [token, live] = ['token', 'live'].map((id) => GUIDE.find((question) => question.id === id)?.shell ?? '');
      const curl = spawn(...inShell(`${token}\nexec ${live}`));
      let output = '';
      curl.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      try {
        await eventually('the stream sends the unread count', () => /^event: unread\ndata: /m.test(output));
      } finally {
        curl.kill();
      }
    });
  });
});
