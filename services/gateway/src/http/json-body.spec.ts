import { beforeAll, describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { gatewayForTests } from '../fixtures/gateway.js';

const withMembers = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 0])));

describe('the gateway (bodies and conditions of writes)', () => {
  const gateway = gatewayForTests();
  let buyer: string;

  beforeAll(() => {
    buyer = gateway.provider.token();
  });

  const call = async (path: string, init: RequestInit & { token?: string | null }) => {
    const response = await gateway.call(path, { token: buyer, ...init });
    return { response, status: response.status, problem: (await response.json()) as Record<string, unknown> };
  };
  const send = (path: string, method: string, body: BodyInit, headers: Record<string, string> = {}) =>
    call(path, { method, body, headers: { 'content-type': 'application/json', ...headers } });

  it.each([
    ['text/plain', '{}'],
    ['application/merge-patch+json', '{}'],
    ['application/json; charset=utf-16', '{}'],
    ['application/jsonx', '{}'],
    ['garbage', '{}'],
    ['multipart/form-data; boundary=x', '{}'],
  ])('refuses the media type %s with 415, after checking the token', async (type, body) => {
    const path = '/api/purchase-orders/PO-1';
    expect((await call(path, { method: 'PATCH', body, token: null, headers: { 'content-type': type } })).status).toBe(
      401,
    );
    const { status, problem } = await send(path, 'PATCH', body, { 'content-type': type });
    expect([status, problem.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('refuses a content encoding, and a body without a media type', async () => {
    const path = '/api/purchase-orders/PO-1';
    expect((await send(path, 'PATCH', '{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await call(path, { method: 'PATCH', body: Buffer.from('{}') })).status).toBe(415);
  });

  it.each([
    ['', 'MALFORMED_JSON'],
    ['{', 'MALFORMED_JSON'],
    ['{"action":"SUBMIT"}}', 'MALFORMED_JSON'],
    ["{'action':'SUBMIT'}", 'MALFORMED_JSON'],
    [`{"comment":${'['.repeat(20)}${']'.repeat(20)}}`, 'MALFORMED_JSON'],
    [`{"comment":${'['.repeat(19)}${']'.repeat(19)},"action":"SUBMIT"}`, 'VALIDATION_FAILED'],
    ['['.repeat(500_000), 'MALFORMED_JSON'],
    [withMembers(20_000), 'VALIDATION_FAILED'],
    [withMembers(20_001), 'MALFORMED_JSON'],
    [`[${'{"a":{}},'.repeat(20_001)}{}]`, 'MALFORMED_JSON'],
    [`{"comment":"${':'.repeat(20_001)}"}`, 'VALIDATION_FAILED'],
    [Buffer.from([0x22, 0xff, 0x22]), 'MALFORMED_JSON'],
    ['null', 'VALIDATION_FAILED'],
    ['{"action":"IMPORT"}', 'VALIDATION_FAILED'],
    ['{"action":"SUBMIT","comment":"\\u0000"}', 'VALIDATION_FAILED'],
    ['{"action":"SUBMIT","comment":"\\ud800"}', 'VALIDATION_FAILED'],
    ['{"action":"SUBMIT","__proto__":{"a":1}}', 'VALIDATION_FAILED'],
    ['{"action":"SUBMIT","constructor":{}}', 'VALIDATION_FAILED'],
  ])('refuses the transition body %# with 400', async (body, code) => {
    const { status, problem } = await send('/api/purchase-orders/PO-1/transition', 'POST', body);
    expect([status, problem.code]).toEqual([400, code]);
  });

  it('checks the body before the poRef, and accepts a media type in any spelling', async () => {
    const path = '/api/purchase-orders/-bad-';
    expect((await send(path, 'PATCH', '{"x":1}')).problem.code).toBe('VALIDATION_FAILED');
    const type = { 'content-type': 'Application/JSON;charset="UTF-8"' };
    expect((await send(path, 'PATCH', '{"tracking_number":"T"}', type)).problem.code).toBe('PO_NOT_FOUND');
  });

  it('accepts a body of 1 MiB and refuses one byte more, with or without Content-Length', async () => {
    const path = '/api/purchase-orders/-bad-';
    const start = '{"tracking_number":"T"';
    const exact = `${start}${' '.repeat(1_048_576 - start.length - 1)}}`;
    expect((await send(path, 'PATCH', exact)).problem.code).toBe('PO_NOT_FOUND');
    const { response, problem } = await send(path, 'PATCH', `${exact} `);
    expect([response.status, problem.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect((await send(path, 'PATCH', ' '.repeat(20_000_000))).status).toBe(413);
    const isRefused = (answer: string) => answer.includes('"BODY_TOO_LARGE"');
    const head = `PATCH ${path} HTTP/1.1\r\nhost: x\r\nx-user-token: ${buyer}\r\ncontent-type: application/json\r\n`;
    const chunk = `40000\r\n${' '.repeat(0x40000)}\r\n`;
    const answer = await gateway.raw(`${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(5)}`, isRefused);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('BODY_TOO_LARGE');
    const announced = await gateway.raw(`${head}content-length: 99999999\r\n\r\n{`, isRefused);
    expect(announced).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ['Idempotency-Key', 'x'.repeat(129)],
    ['Idempotency-Key', 'with space'],
    ['Idempotency-Key', ''],
    ['If-Match', '5'],
    ['If-Match', '"5'],
    ['If-Match', '"5", 6'],
    ['If-Match', ''],
  ])('refuses the header %s: %j', async (name, value) => {
    const { status, problem } = await send('/api/purchase-orders/PO-1', 'PATCH', '{"tracking_number":"T"}', {
      [name]: value,
    });
    expect([status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(problem.errors).toEqual([expect.objectContaining({ in: 'header', pointer: `/${name}` })]);
  });

  it('sends no command for refused requests', () => {
    expect(gateway.kafka.records(TOPICS.commands)).toEqual([]);
  });
});
