import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStream } from '@po/testing/event-stream';
import { act } from '../e2e/world.js';
import { PUBLISHED } from '../published/document.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { type Caller, KNOWN, type Known, RULES, type Rule, STRANGERS, type State, type Subject } from './rules.js';
import { Scene } from './scene.js';
import { type Method, type Question, expectStranger, expectVerdict } from './verdict.js';

const strangers = Object.keys(STRANGERS) as (keyof typeof STRANGERS)[];
const STREAM = 'streamNotifications';
type Case = [title: string, method: Method, rule: Rule];
const cases = PUBLISHED.filter(({ id }) => id !== STREAM).flatMap(({ id, method, path }) =>
  (RULES[id] ?? []).map((rule): Case => [`${method} ${path} ${rule.part}`.trim(), method as Method, rule]),
);
const verdictsOf = ([, , { verdicts }]: Case) => Object.values(verdicts);
const isWrite = (one: Case) => verdictsOf(one).includes('done');

describe('whoever asks', () => {
  let scene: Scene;
  /** What is only read is one order for all. */
  const kept = new Map<State, Promise<Subject>>();
  beforeAll(async () => {
    scene = await Scene.open();
  }, 60_000);

  const keptIn = (state: State): Promise<Subject> => {
    const subject = kept.get(state) ?? scene.orderIn(state);
    kept.set(state, subject);
    return subject;
  };
  const about = async (method: Method, rule: Rule, subject: Subject): Promise<Question> => ({
    ...{ method, rule, subject, marks: await scene.marksOf(subject) },
  });
  const ask = (caller: Known, question: Question) => {
    const owns = caller === 'other vendor' && question.rule.part === '' ? 1 : 0;
    return expectVerdict(scene.as(caller), question.rule.verdicts[caller], question, owns);
  };
  /** What is asked must leave everything as it was, but for the inbox of a caller who is answered about its own. */
  const untouched = async (caller: Caller, { rule, subject }: Question, asking: () => Promise<void>) => {
    const own = rule.verdicts[caller as Known] === 'hidden' ? caller : undefined;
    const before = await scene.left(subject, own);
    await asking();
    expect([caller, await scene.left(subject, own)]).toEqual([caller, before]);
  };

  it.each(cases.filter((one) => !isWrite(one)))('for %s is answered as the rules say', async (_title, method, rule) => {
    const question = await about(method, rule, await keptIn(rule.state));
    const before = await scene.left(question.subject);
    for (const caller of strangers) await expectStranger(scene.as(caller), caller, question);
    for (const caller of KNOWN) await ask(caller, question);
    expect(await scene.left(question.subject)).toEqual(before);
  });

  it.each(cases.filter(isWrite))(
    'for %s does what the rules say, and nothing else',
    async (_title, method, rule) => {
      const question = await about(method, rule, await scene.orderIn(rule.state));
      const { subject } = question;
      const [first, ...more] = KNOWN.filter((caller) => rule.verdicts[caller] === 'done') as [Known, ...Known[]];
      const others = KNOWN.filter((caller) => rule.verdicts[caller] !== 'done');
      const before = await scene.left(subject);
      for (const caller of strangers)
        await untouched(caller, question, () => expectStranger(scene.as(caller), caller, question));
      for (const caller of others) await untouched(caller, question, () => ask(caller, question));

      const headers = { 'idempotency-key': randomUUID() };
      await ask(first, { ...question, headers });
      await scene.settled(subject.poRef);
      const isLeftAsItWas = isDeepStrictEqual(await scene.left(subject), before);
      expect(isLeftAsItWas).toBe(rule.isBesideOrders ?? false);
      // What was answered under a key is nobody else's.
      for (const caller of others) await untouched(caller, question, () => ask(caller, { ...question, headers }));
      for (const caller of more) await ask(caller, { ...question, subject: await scene.orderIn(rule.state) });
      // Per order what is published keeps its order: behind what was done there is nothing of what was refused.
      const { versions, entries } = await scene.published(subject.poRef);
      expect(versions).toEqual(versions.map((_version, index) => index + 1));
      expect(entries).toEqual(await scene.entriesOf(subject.poRef));
    },
    60_000,
  );

  it('for what a role may do is answered alike, where nothing of an order is told', async () => {
    for (const [title, , rule] of cases.filter((one) => verdictsOf(one).includes('alike'))) {
      const { path } = rule.request(await keptIn(rule.state));
      const answers = await Promise.all(KNOWN.map(async (caller) => (await scene.as(caller).get(path)).text));
      expect([title, new Set(answers).size]).toEqual([title, 1]);
    }
  });
});

describe('whoever opens the live stream', () => {
  let scene: Scene;
  const streams: EventStream[] = [];
  beforeAll(async () => {
    scene = await Scene.open();
  }, 60_000);
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  const open = async (caller: Caller) => {
    const stream = await EventStream.open({ gatewayUrl: readStack().gatewayUrl, token: scene.tokens[caller] });
    streams.push(stream);
    return stream;
  };
  const changesIn = (stream: EventStream) => stream.dataOf<{ poRef: string }>('po-changed').map(({ poRef }) => poRef);

  it.each(RULES[STREAM] ?? [])('is told what the rules say', async ({ verdicts, state }) => {
    const opened = await Promise.all(KNOWN.map(async (caller) => [caller, await open(caller)] as const));
    for (const [, stream] of opened) await eventually('it begins', () => stream.events.length > 0);
    const subject = await scene.orderIn(state);
    const shown = opened.filter(([caller]) => verdicts[caller] === 'shown').map(([, stream]) => stream);
    for (const stream of shown) await eventually('it is told', () => changesIn(stream).includes(subject.poRef));
    // Told in the order in which they changed: what comes after it is not followed by it.
    await act(scene.as('other vendor'), scene.othersPoRef, 'RECALL');
    const hidden = opened.filter(([caller]) => verdicts[caller] === 'hidden').map(([, stream]) => stream);
    expect([shown.length, hidden.length]).toEqual([5, 1]);
    const marks = await scene.marksOf(subject);
    for (const stream of hidden) {
      await eventually('its own change is told', () => changesIn(stream).includes(scene.othersPoRef));
      const text = JSON.stringify(stream.events);
      expect(marks.filter((mark) => text.includes(mark))).toEqual([]);
    }
  });

  it.each(strangers)('is refused: %s', async (stranger) => {
    const stream = await open(stranger);
    await stream.ended;
    expect([stream.status, (JSON.parse(stream.text) as { code: string }).code]).toEqual(
      Object.values(STRANGERS[stranger]),
    );
  });
});
