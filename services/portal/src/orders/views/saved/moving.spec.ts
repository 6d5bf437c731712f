import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@po/client';
import fc from 'fast-check';
import type { View, ViewRequest } from '../../../api/schemas.js';
import { refusal } from '../../../fixtures/refusal.js';
import { sampleView } from '../sample-view.js';
import { type LocalView, isFull, keyOf, moveViews, readLocalViews, without } from './moving.js';

const local = (names: readonly string[]): LocalView[] => names.map((name) => ({ name, search: { search: name } }));
type Code = Parameters<typeof refusal>[1]['code'];
const problem = (status: number, code?: Code) => ApiProblem.of(refusal(status, { ...(code && { code }) }));

/** The API and the browser's storage. `answers`: what becomes of each request; undefined: it succeeds. */
class Move {
  readonly stored = new Map<string, View>();
  readonly order: string[] = [];
  sent = 0;
  answers: ((() => Promise<never>) | 'lost' | undefined)[] = [];

  constructor(
    public left: LocalView[],
    private readonly room = Infinity,
  ) {}

  run = () =>
    moveViews({
      left: () => this.left,
      create: (request, key) => this.create(request, key),
      done: (view, { id }) => {
        this.left = without(this.left, view);
        this.order.push(id);
      },
    });

  private async create({ name, query }: ViewRequest, key: string): Promise<View> {
    const answer = this.answers[this.sent++];
    if (typeof answer === 'function') return answer();
    if (!this.stored.has(key) && this.stored.size >= this.room) throw await problem(422, 'TOO_MANY_VIEWS');
    const view = this.stored.get(key) ?? sampleView({ id: key, name, query: query as Record<string, string> });
    this.stored.set(key, view);
    if (answer === 'lost') throw new TypeError('Failed to fetch');
    return view;
  }
}

const names = fc.uniqueArray(
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name.trim() === name),
  {
    minLength: 1,
    maxLength: 30,
  },
);

describe('views that an older release kept in the browser', () => {
  it('are each stored once and none is lost, wherever the move is interrupted', async () => {
    const answer = fc.constantFrom('lost' as const, () => Promise.reject(new TypeError('Failed to fetch')), undefined);
    await fc.assert(
      fc.asyncProperty(names, fc.array(answer, { maxLength: 20 }), async (all, answers) => {
        const move = new Move(local(all));
        move.answers = answers;
        for (let visits = 0; move.left.length > 0 && visits <= answers.length; visits += 1) {
          await move.run();
          const known = [...move.left.map(({ name }) => name), ...[...move.stored.values()].map(({ name }) => name)];
          expect(new Set(known)).toEqual(new Set(all));
        }
        expect(move.left).toEqual([]);
        expect([...move.stored.values()].map(({ name }) => name)).toEqual(all);
        expect(move.order).toEqual([...move.stored.keys()]);
      }),
    );
  });

  it('stay where there is no room for them, and are moved once there is', async () => {
    const move = new Move(local(['a', 'b', 'c']), 2);
    expect(isFull(await move.run())).toBe(true);
    expect([move.left, move.sent]).toEqual([local(['c']), 3]);
    move.stored.delete([...move.stored.keys()][0] as string);
    expect(await move.run()).toBeNull();
    expect(move.left).toEqual([]);
  });

  it('stay where the API refuses one, and the others are moved', async () => {
    const move = new Move(local(['a', 'b', 'c']));
    move.answers = [undefined, () => problem(400, 'VALIDATION_FAILED').then((error) => Promise.reject(error))];
    expect(await move.run()).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect([move.left, move.stored.size]).toEqual([local(['b']), 2]);
  });

  it.each([401, 403, 404, 429, 503])('are not tried further after %d', async (status) => {
    const move = new Move(local(['a', 'b']));
    move.answers = [() => problem(status).then((error) => Promise.reject(error))];
    expect(await move.run()).toMatchObject({ status });
    expect([move.left, move.sent, move.stored.size]).toEqual([local(['a', 'b']), 1, 0]);
  });

  it('that another tab changed meanwhile are not taken for moved', () => {
    const changed = [{ name: 'a', search: { overdue: true } }];
    expect(without(changed, { name: 'a', search: { search: 'a' } })).toEqual(changed);
  });

  it('have a key each that the API takes', () => {
    fc.assert(
      fc.property(names, (all) => {
        const keys = local(all).map(keyOf);
        expect(new Set(keys).size).toBe(all.length);
        for (const key of keys) expect(key).toMatch(/^local-view-[0-9a-f]{16}$/);
      }),
    );
    const view = { name: 'a', search: { overdue: true } };
    expect(keyOf(view)).toBe(keyOf({ ...view }));
    expect(keyOf(view)).not.toBe(keyOf({ ...view, search: {} }));
  });

  it('are read as they were stored; what is none is left out, and of one name the last is meant', () => {
    const stored = [
      null,
      3,
      { name: 'x' },
      { name: '', search: {} },
      { name: 'A', search: { page: 2, overdue: 'true' } },
      { name: 'B', search: {} },
      { name: ' A ', search: { status: ['New'] } },
    ];
    expect(readLocalViews(JSON.stringify(stored))).toEqual([
      { name: 'A', search: { status: ['New'] } },
      { name: 'B', search: {} },
    ]);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => expect(Array.isArray(readLocalViews(text))).toBe(true)),
    );
  });
});
