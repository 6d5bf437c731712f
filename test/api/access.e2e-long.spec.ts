import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStream } from '@po/testing/event-stream';
import { act } from '../e2e/world.js';
import { PUBLISHED } from './document.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { RULES } from '../../deploy/documents/access-rules/all.js';
import {
  type Caller,
  KNOWN,
  type Known,
  type Rule,
  REJECTED_CALLERS,
  type State,
  type Subject,
} from '../../deploy/documents/access-rules/rule.js';
import { AccessFixture } from './access-fixture.js';
import { type AccessCase, expectRejection, expectVerdict } from './access-verdict.js';

const rejectedCallers = Object.keys(REJECTED_CALLERS) as (keyof typeof REJECTED_CALLERS)[];
const STREAM = 'streamNotifications';
type Case = [title: string, method: string, rule: Rule];
const cases = PUBLISHED.filter(({ id }) => id !== STREAM).flatMap(({ id, method, path }) =>
  (RULES[id] ?? []).map((rule): Case => [`${method} ${path} ${rule.part}`.trim(), method, rule]),
);
const verdictsOf = ([, , { verdicts }]: Case) => Object.values(verdicts);
const isWrite = (one: Case) => verdictsOf(one).includes('done');

describe('each caller', () => {
  let fixture: AccessFixture;
  /** What is only read is one order for all. */
  const kept = new Map<State, Promise<Subject>>();
  beforeAll(async () => {
    fixture = await AccessFixture.open();
  });

  const sharedOrderIn = (state: State): Promise<Subject> => {
    const subject = kept.get(state) ?? fixture.orderIn(state);
    kept.set(state, subject);
    return subject;
  };
  const about = async (method: string, rule: Rule, subject: Subject): Promise<AccessCase> => ({
    method,
    rule,
    subject,
    identifiers: await fixture.identifiersOf(subject),
  });
  const ask = (caller: Known, accessCase: AccessCase) => {
    const owns = caller === 'other vendor' && accessCase.rule.part === '' ? 1 : 0;
    return expectVerdict(fixture.tokens[caller], accessCase.rule.verdicts[caller], accessCase, owns);
  };
  /** What is asked must leave everything as it was, but for the inbox of a caller who is answered about its own. */
  const untouched = async (caller: Caller, { rule, subject }: AccessCase, asking: () => Promise<void>) => {
    const own = rule.verdicts[caller as Known] === 'hidden' ? caller : undefined;
    const before = await fixture.stateOf(subject, own);
    await asking();
    expect([caller, await fixture.stateOf(subject, own)]).toEqual([caller, before]);
  };

  it.each(cases.filter((one) => !isWrite(one)))(
    'gets what the rules say from %s, which changes nothing',
    async (_title, method, rule) => {
      const accessCase = await about(method, rule, await sharedOrderIn(rule.state));
      const before = await fixture.stateOf(accessCase.subject);
      for (const caller of rejectedCallers) await expectRejection(fixture.tokens[caller], caller, accessCase);
      for (const caller of KNOWN) await ask(caller, accessCase);
      expect(await fixture.stateOf(accessCase.subject)).toEqual(before);
    },
  );

  it.each(cases.filter(isWrite))('changes by %s only what the rules say', async (_title, method, rule) => {
    const accessCase = await about(method, rule, await fixture.orderIn(rule.state));
    const { subject } = accessCase;
    const [first, ...more] = KNOWN.filter((caller) => rule.verdicts[caller] === 'done') as [Known, ...Known[]];
    const others = KNOWN.filter((caller) => rule.verdicts[caller] !== 'done');
    const before = await fixture.stateOf(subject);
    for (const caller of rejectedCallers)
      await untouched(caller, accessCase, () => expectRejection(fixture.tokens[caller], caller, accessCase));
    for (const caller of others) await untouched(caller, accessCase, () => ask(caller, accessCase));

    const headers = { 'idempotency-key': randomUUID() };
    await ask(first, { ...accessCase, headers });
    await fixture.settled(subject.poRef);
    const isLeftAsItWas = isDeepStrictEqual(await fixture.stateOf(subject), before);
    expect(isLeftAsItWas).toBe(rule.isBesideOrders ?? false);
    // What was answered under a key is nobody else's.
    for (const caller of rule.isGone ? [] : others)
      await untouched(caller, accessCase, () => ask(caller, { ...accessCase, headers }));
    for (const caller of more) await ask(caller, { ...accessCase, subject: await fixture.orderIn(rule.state) });
    // Per order what is published keeps its order: behind what was done there is nothing of what was refused.
    const { versions, entries } = await fixture.published(subject.poRef);
    expect(versions).toEqual(versions.map((_version, index) => index + 1));
    expect(entries).toEqual(await fixture.entriesOf(subject.poRef));
  });

  it('gets the same actions of a role, which say nothing of an order', async () => {
    for (const [title, , rule] of cases.filter((one) => verdictsOf(one).includes('alike'))) {
      const { path } = rule.request(await sharedOrderIn(rule.state));
      const callers = KNOWN.filter((caller) => rule.verdicts[caller] === 'alike');
      const answers = await Promise.all(callers.map(async (caller) => (await fixture.as(caller).get(path)).text));
      expect([title, new Set(answers).size]).toEqual([title, 1]);
    }
  });
});

describe('each caller who opens the live stream', () => {
  let fixture: AccessFixture;
  const streams: EventStream[] = [];
  beforeAll(async () => {
    fixture = await AccessFixture.open();
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  const open = async (caller: Caller) => {
    const stream = await EventStream.open({ gatewayUrl: readStack().gatewayUrl, token: fixture.tokens[caller] });
    streams.push(stream);
    return stream;
  };
  const changesIn = (stream: EventStream) => stream.dataOf<{ poRef: string }>('po-changed').map(({ poRef }) => poRef);

  it.each(RULES[STREAM] ?? [])('gets the changes that the rules say', async ({ verdicts, state }) => {
    const opened = await Promise.all(KNOWN.map(async (caller) => [caller, await open(caller)] as const));
    for (const [, stream] of opened) await eventually('it begins', () => stream.events.length > 0);
    const subject = await fixture.orderIn(state);
    const shown = opened.filter(([caller]) => verdicts[caller] === 'shown').map(([, stream]) => stream);
    for (const stream of shown) await eventually('it is told', () => changesIn(stream).includes(subject.poRef));
    // Told in the order in which they changed: what comes after it is not followed by it.
    await act(fixture.as('other vendor'), fixture.othersPoRef, 'RECALL');
    const hidden = opened.filter(([caller]) => verdicts[caller] === 'hidden').map(([, stream]) => stream);
    expect([shown.length, hidden.length]).toEqual([5, 1]);
    const identifiers = await fixture.identifiersOf(subject);
    for (const stream of hidden) {
      await eventually('its own change is told', () => changesIn(stream).includes(fixture.othersPoRef));
      const text = JSON.stringify(stream.events);
      expect(identifiers.filter((mark) => text.includes(mark))).toEqual([]);
    }
  });

  it.each(rejectedCallers)('is rejected: %s', async (caller) => {
    const stream = await open(caller);
    await stream.ended;
    expect([stream.status, (JSON.parse(stream.text) as { code: string }).code]).toEqual(
      Object.values(REJECTED_CALLERS[caller]),
    );
  });
});
