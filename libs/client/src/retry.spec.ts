import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ScriptedServer, problem, startScripted } from './fixtures/scripted-server.js';
import { createClient } from './index.js';

describe('a DELETE of the client', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScripted();
  });
  afterEach(() => server.stop());

  const remove = () =>
    createClient({ baseUrl: server.baseUrl, token: 't' }).DELETE('/users/{userId}', {
      params: { path: { userId: 'auth0|1/2' } },
    });
  const done = (response: ServerResponse) => void response.writeHead(204).end();
  const notFound = problem(404, 'USER_NOT_FOUND');
  const breaks = (response: ServerResponse) => void response.destroy();

  it.each([
    ['a 504, and then succeeds', problem(504, 'TIMEOUT'), done],
    ['a 504, and succeeds with a 404, because the first attempt deleted it', problem(504, 'TIMEOUT'), notFound],
    ['a 503 not from the API, and succeeds with a 404', problem(503, 'UNAVAILABLE'), notFound],
    ['a broken connection, and succeeds with a 404', breaks, notFound],
  ])('is retried after %s', async (_what, first, second) => {
    server.scripts = [first, second];
    const { response } = await remove();
    expect(response.status).toBe(204);
    expect(server.seen.map(({ method, url }) => [method, url])).toEqual(
      Array.from({ length: 2 }, () => ['DELETE', '/api/users/auth0%7C1%2F2']),
    );
  });

  it('fails with a 404 if no earlier attempt can have deleted anything', async () => {
    server.scripts = [problem(503, 'UNAVAILABLE', { 'retry-after': '0' }), notFound];
    await expect(remove()).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    expect(server.seen).toHaveLength(2);
  });

  it('fails with a 404 that is not from the API', async () => {
    server.scripts = [breaks, (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('nginx')];
    await expect(remove()).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 404 });
  });
});
