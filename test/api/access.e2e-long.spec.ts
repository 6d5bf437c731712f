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
  AUTHENTICATED_CALLERS,
  type AuthenticatedCaller,
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

describe('the API', () => {
  let fixture: AccessFixture;
  /** Orders of the cases that only read, one per state. */
  const sharedOrders = new Map<State, Promise<Subject>>();
  beforeAll(async () => {
    fixture = await AccessFixture.open();
  });

  const sharedOrderIn = (state: State): Promise<Subject> => {
    const subject = sharedOrders.get(state) ?? fixture.orderIn(state);
    sharedOrders.set(state, subject);
    return subject;
  };
  const about = async (method: string, rule: Rule, subject: Subject): Promise<AccessCase> => ({
    method,
    rule,
    subject,
    identifiers: await fixture.identifiersOf(subject),
  });
  const ask = (caller: AuthenticatedCaller, accessCase: AccessCase) => {
    const owns = caller === 'other vendor' && accessCase.rule.part === '' ? 1 : 0;
    return expectVerdict(fixture.tokens[caller], accessCase.rule.verdicts[caller], accessCase, owns);
  };
  /** Checks that requests change nothing, except the inbox and views of a caller who may only see its own data. */
  const expectUnchanged = async <T extends Caller>(
    callers: readonly T[],
    { rule, subject }: AccessCase,
    request: (caller: T) => Promise<void>,
  ) => {
    const hasOwn = (caller: T) => rule.verdicts[caller as AuthenticatedCaller] === 'hidden';
    const check = async (group: readonly T[], own?: T) => {
      const before = await fixture.stateOf(subject, own);
      for (const caller of group) await request(caller);
      expect([group, await fixture.stateOf(subject, own)]).toEqual([group, before]);
    };
    for (const caller of callers.filter(hasOwn)) await check([caller], caller);
    await check(callers.filter((caller) => !hasOwn(caller)));
  };

  it.each(cases.filter((one) => !isWrite(one)))(
    'answers %s for each caller as the access rules require and changes nothing',
    async (_title, method, rule) => {
      const accessCase = await about(method, rule, await sharedOrderIn(rule.state));
      const before = await fixture.stateOf(accessCase.subject);
      for (const caller of rejectedCallers) await expectRejection(fixture.tokens[caller], caller, accessCase);
      for (const caller of AUTHENTICATED_CALLERS) await ask(caller, accessCase);
      expect(await fixture.stateOf(accessCase.subject)).toEqual(before);
    },
  );

  it.each(cases.filter(isWrite))(
    'allows %s only to the callers named by the access rules',
    async (_title, method, rule) => {
      const accessCase = await about(method, rule, await fixture.orderIn(rule.state));
      const { subject } = accessCase;
      const [first, ...more] = AUTHENTICATED_CALLERS.filter((caller) => rule.verdicts[caller] === 'done') as [
        AuthenticatedCaller,
        ...AuthenticatedCaller[],
      ];
      const others = AUTHENTICATED_CALLERS.filter((caller) => rule.verdicts[caller] !== 'done');
      const before = await fixture.stateOf(subject);
      await expectUnchanged(rejectedCallers, accessCase, (caller) =>
        expectRejection(fixture.tokens[caller], caller, accessCase),
      );
      await expectUnchanged(others, accessCase, (caller) => ask(caller, accessCase));

      const headers = { 'idempotency-key': randomUUID() };
      await ask(first, { ...accessCase, headers });
      await fixture.settled(subject.poRef);
      const isUnchanged = isDeepStrictEqual(await fixture.stateOf(subject), before);
      expect(isUnchanged).toBe(rule.leavesOrdersUnchanged ?? false);
      // An idempotency key replays the answer only to its own caller.
      await expectUnchanged(rule.deletesResource ? [] : others, accessCase, (caller) =>
        ask(caller, { ...accessCase, headers }),
      );
      for (const caller of more) await ask(caller, { ...accessCase, subject: await fixture.orderIn(rule.state) });
      // Records of an order are published in sequence, so records of the refused requests would already be here.
      const { versions, entries } = await fixture.published(subject.poRef);
      expect(versions).toEqual(versions.map((_version, index) => index + 1));
      expect(entries).toEqual(await fixture.entriesOf(subject.poRef));
    },
  );

  it('returns the same actions of a role to every caller, without details of an order', async () => {
    for (const [title, , rule] of cases.filter((one) => verdictsOf(one).includes('same'))) {
      const { path } = rule.request(await sharedOrderIn(rule.state));
      const callers = AUTHENTICATED_CALLERS.filter((caller) => rule.verdicts[caller] === 'same');
      const answers = await Promise.all(callers.map(async (caller) => (await fixture.as(caller).get(path)).text));
      expect([title, new Set(answers).size]).toEqual([title, 1]);
    }
  });
});

describe('the live stream', () => {
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

  it.each(RULES[STREAM] ?? [])(
    'sends each caller only the changes that the access rules allow',
    async ({ verdicts, state }) => {
      const opened = await Promise.all(
        AUTHENTICATED_CALLERS.map(async (caller) => [caller, await open(caller)] as const),
      );
      for (const [, stream] of opened) await eventually('the stream begins', () => stream.events.length > 0);
      const subject = await fixture.orderIn(state);
      const shown = opened.filter(([caller]) => verdicts[caller] === 'shown').map(([, stream]) => stream);
      for (const stream of shown)
        await eventually('the stream reports the change', () => changesIn(stream).includes(subject.poRef));
      // Changes arrive in sequence: once this later change has arrived, the hidden one cannot follow.
      await act(fixture.as('other vendor'), fixture.othersPoRef, 'RECALL');
      const hidden = opened.filter(([caller]) => verdicts[caller] === 'hidden').map(([, stream]) => stream);
      expect([shown.length, hidden.length]).toEqual([5, 1]);
      const identifiers = await fixture.identifiersOf(subject);
      for (const stream of hidden) {
        await eventually('the stream reports the change of its own order', () =>
          changesIn(stream).includes(fixture.othersPoRef),
        );
        const text = JSON.stringify(stream.events);
        expect(identifiers.filter((mark) => text.includes(mark))).toEqual([]);
      }
    },
  );

  it.each(rejectedCallers)('rejects a caller without valid credentials: %s', async (caller) => {
    const stream = await open(caller);
    await stream.ended;
    expect([stream.status, (JSON.parse(stream.text) as { code: string }).code]).toEqual(
      Object.values(REJECTED_CALLERS[caller]),
    );
  });
});
