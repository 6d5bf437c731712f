import { describe, expect, it } from '@jest/globals';
import { ApiProblem, type ProblemDocument } from '@po/client';
import type { OrderImport, State } from './order-import.js';
import { type Apply, type Check, applyAll, checkAll } from './run.js';

const CHANGE = {
  rowHash: 'h',
  code: 'c',
  style: 's',
  color: 'r',
  size: 'M',
  field: 'vendorReplyQty' as const,
  from: null,
  to: 5,
};
const checked = (version: number, hasMoved = false): State => ({
  at: 'checked',
  hasMoved,
  preview: { version, changes: [CHANGE], errors: [] },
});
const part = (poRef: string, state: State): OrderImport => ({
  poRef,
  rowIds: ['h'],
  replies: null,
  file: () => ({ content: new Blob(), format: 'csv' }),
  key: `key of ${poRef}`,
  state,
});
const problem = (status: number, code: string, members: Partial<ProblemDocument> = {}, headers = {}) =>
  new ApiProblem(
    { code, detail: `it is ${code}`, requestId: 'r1', ...members } as ProblemDocument,
    new Response(null, { status, headers }),
  );
const answer = (version: number, changes = [CHANGE]) => ({
  version,
  data: { applied: false, rows: 1, changes, errors: [] },
});

async function run(go: (own: Parameters<typeof checkAll>[2]) => Promise<void>, stopAt?: string) {
  const stopper = new AbortController();
  const reported: [string, State][] = [];
  const waits: (number | null)[] = [];
  await go({
    report: (poRef, state) => {
      reported.push([poRef, state]);
      if (`${poRef} ${state.at}` === stopAt) stopper.abort();
    },
    onWait: (seconds) => waits.push(seconds),
    signal: stopper.signal,
  });
  return { reported, waits, summary: reported.map(([poRef, { at }]) => `${poRef} ${at}`) };
}

describe('checking the orders of a file', () => {
  const parts = ['A', 'B', 'C'].map((poRef) => part(poRef, { at: 'waiting' }));

  it('continues after an order that is refused', async () => {
    const check: Check = async ({ poRef }) => {
      if (poRef === 'B') throw problem(409, 'PO_NOT_EDITABLE', { currentStatusId: 200 });
      return answer(3);
    };
    const { reported } = await run((own) => checkAll(parts, check, own));
    expect(reported.filter(([, { at }]) => at !== 'checking')).toEqual([
      ['A', checked(3)],
      [
        'B',
        {
          at: 'refused',
          preview: null,
          refusal: { kind: 'locked', message: 'it is PO_NOT_EDITABLE', requestId: 'r1', statusId: 200 },
        },
      ],
      ['C', checked(3)],
    ]);
  });

  it.each<[string, Error]>([
    ['no connection', new TypeError('Failed to fetch')],
    ['no answer in time', problem(504, 'TIMEOUT')],
  ])('ends after %s, and the other orders stay unchecked', async (_what, error) => {
    const { reported, summary } = await run((own) => checkAll(parts, () => Promise.reject(error), own));
    expect(summary).toEqual(['A checking', 'A refused']);
    expect(reported[1]?.[1]).toMatchObject({ refusal: { kind: 'noAnswer' } });
  });

  it('ends when the user cancels', async () => {
    const check: Check = (_part, signal) =>
      signal.aborted ? Promise.reject(new Error('aborted')) : Promise.resolve(answer(1));
    expect((await run((own) => checkAll(parts, check, own), 'B checking')).summary).toEqual([
      'A checking',
      'A checked',
      'B checking',
      'B waiting',
    ]);
  });
});

describe('applying the orders of a file', () => {
  const parts = ['A', 'B', 'C'].map((poRef) => part(poRef, checked(2)));
  const check: Check = async () => answer(7);
  const applied: Apply = async () => answer(3);

  it('applies orders with changes, on the checked version', async () => {
    const some = [
      part('A', checked(2)),
      part('B', { at: 'checked', hasMoved: false, preview: { version: 1, changes: [], errors: [] } }),
      part('C', { at: 'applied', preview: { version: 1, changes: [CHANGE], errors: [] } }),
      part('D', checked(4)),
    ];
    const sent: [string, number, string][] = [];
    const apply: Apply = ({ poRef, key }, version) => {
      sent.push([poRef, version, key]);
      return applied(part(poRef, { at: 'waiting' }), version);
    };
    const { summary } = await run((own) => applyAll(some, { check, apply }, own));
    expect(sent).toEqual([
      ['A', 2, 'key of A'],
      ['D', 4, 'key of D'],
    ]);
    expect(summary).toEqual(['A applying', 'A applied', 'D applying', 'D applied']);
  });

  it('checks an order again that others changed in the meantime, and continues', async () => {
    const apply: Apply = ({ poRef }) =>
      poRef === 'A' ? Promise.reject(problem(412, 'VERSION_MISMATCH')) : applied(part(poRef, { at: 'waiting' }), 1);
    const { reported, summary } = await run((own) => applyAll(parts, { check, apply }, own));
    expect(summary.slice(0, 5)).toEqual(['A applying', 'A checking', 'A checked', 'B applying', 'B applied']);
    expect(reported[2]?.[1]).toEqual(checked(7, true));
  });

  it('reports new errors, and orders that are locked now', async () => {
    const errors = [{ row: 2, column: 'Reply Qty', code: 'INVALID_VALUE' as const, message: 'm', messageZh: 'z' }];
    const apply: Apply = ({ poRef }) =>
      Promise.reject(
        poRef === 'A'
          ? problem(422, 'IMPORT_INVALID', { errors })
          : problem(409, 'PO_NOT_EDITABLE', { currentStatusId: 300 }),
      );
    const { reported } = await run((own) => applyAll(parts.slice(0, 2), { check, apply }, own));
    expect(reported[1]?.[1]).toMatchObject({ at: 'checked', preview: { errors } });
    expect(reported[3]?.[1]).toMatchObject({
      at: 'refused',
      refusal: { kind: 'locked', statusId: 300 },
      preview: null,
    });
  });

  it('ends after a missing answer, and can be repeated unchanged', async () => {
    const apply: Apply = () => Promise.reject(new TypeError('Failed to fetch'));
    const { reported, summary } = await run((own) => applyAll(parts, { check, apply }, own));
    expect(summary).toEqual(['A applying', 'A refused']);
    const left = reported[1]?.[1] as State;
    expect((await run((own) => applyAll([part('A', left)], { check, apply: applied }, own))).summary).toEqual([
      'A applying',
      'A applied',
    ]);
  });

  it('ends between two orders when the user cancels, even during a rate-limit wait', async () => {
    expect((await run((own) => applyAll(parts, { check, apply: applied }, own), 'A applied')).summary).toEqual([
      'A applying',
      'A applied',
    ]);
    const busy: Apply = () => Promise.reject(problem(429, 'RATE_LIMITED', {}, { 'retry-after': '60' }));
    const { summary, waits } = await run((own) => applyAll(parts, { check, apply: busy }, own), 'A applying');
    expect([summary, waits]).toEqual([
      ['A applying', 'A checked'],
      [60, null],
    ]);
  });
});
