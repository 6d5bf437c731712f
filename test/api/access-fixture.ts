import { randomUUID } from 'node:crypto';
import { type Activity, type Kpis, type Message, type Notification, TOPICS, type View } from '@po/contracts';
import { type World, act, detailOf, footprint, historyOf, linesOf, openWorld } from '../e2e/world.js';
import type { Answer, Api } from '../../deploy/local/api-client.js';
import { apiClient } from '../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { rowsOf } from '../support/rows.js';
import { type Companies, callersOf, viewerOf } from './callers.js';
import { TEST_POLICY } from '../../deploy/documents/access-rules/policies.js';
import {
  type Caller,
  AUTHENTICATED_CALLERS,
  type AuthenticatedCaller,
  type State,
  type Subject,
} from '../../deploy/documents/access-rules/rule.js';

/** Actions that bring an order to each state, in order. */
const STEPS: readonly (readonly [State, AuthenticatedCaller, action: string])[] = [
  ['Pending Approval', 'own vendor', 'SUBMIT'],
  ['Confirmed', 'BUYER', 'APPROVE'],
  ['In Production', 'own vendor', 'MOVE_TO_PRODUCTION'],
  ['Shipped', 'own vendor', 'MARK_SHIPPED'],
];

/** An ex-factory date in the past, so that every order is overdue and appears in everything about overdue orders. */
const LATE = '2026-02-01';

/** Suppresses an address, as if the mail server had refused it. */
async function suppress(address: string): Promise<string> {
  await rowsOf(
    readStack().databaseUrls.mail,
    `INSERT INTO suppressions (address, reason, failures, since) VALUES ($1, '550 no such user', 1, now())`,
    [address],
  );
  return address;
}

/** Two vendors with at least one order each, and every kind of caller. */
export class AccessFixture {
  private readonly views: (readonly [AuthenticatedCaller, id: string])[] = [];

  private constructor(
    private readonly world: World,
    readonly companies: Companies,
    readonly tokens: Readonly<Record<Caller, string | undefined>>,
    /** The only order of the other vendor. */
    readonly othersPoRef: string,
  ) {}

  static async open(): Promise<AccessFixture> {
    const world = openWorld();
    const tag = randomUUID().slice(0, 8).toUpperCase();
    const company = (side: string) => ({ code: `${side}-${tag}`, name: `Access ${side} ${tag} Ltd.` });
    const companies = { own: company('OWN'), other: company('OTHER'), buyerEmail: `${tag}@buyers.example`, tag };
    const tokens = await callersOf(companies);
    const { poNumber } = await world.importOrder({ vendor: companies.other, xfd: LATE });
    const fixture = new AccessFixture(world, companies, tokens, poNumber);
    // Users get no notifications before their first request.
    for (const caller of AUTHENTICATED_CALLERS) await fixture.as(caller).get('/me');
    await act(fixture.as('other vendor'), poNumber, 'SUBMIT');
    await eventually('the dashboard and inbox of the other vendor are up to date', async () => {
      const other = fixture.as('other vendor');
      const { body: counts } = await other.get<Kpis>('/dashboard/kpis');
      const { body: activity } = await other.get<Activity[]>('/dashboard/recent-activity');
      return (
        counts.pending === 1 && activity.length === 1 && (await fixture.inbox('other vendor', poNumber)).length === 1
      );
    });
    return fixture;
  }

  as(caller: Caller): Api {
    return apiClient(readStack().gatewayUrl, this.tokens[caller]);
  }

  /** Imports an order of the own vendor, brings it to this state and waits until its notifications have arrived. */
  async orderIn(state: State): Promise<Subject> {
    const { own, buyerEmail } = this.companies;
    const order = {
      vendor: own,
      xfd: LATE,
      buyer: { name: `Buyer ${buyerEmail}`, email: buyerEmail },
      factory: `Mill ${own.code}`,
    };
    const { poNumber: poRef } = await this.world.importOrder(order);
    const steps = STEPS.slice(0, STEPS.findIndex(([name]) => name === state) + 1);
    for (const [, caller, action] of steps) await act(this.as(caller), poRef, action, `${action} by ${own.code}`);
    const messages = {
      poRef,
      shown: await this.write('colleague', poRef, 'all'),
      internal: await this.write('ADMIN', poRef, 'internal'),
    };
    const notifications = await this.settled(poRef);
    const [item] = await linesOf(this.as('own vendor'), poRef);
    const rowHash = Object.values(item?.sizes ?? {})[0]?.rowHash ?? '';
    return {
      poRef,
      vendorCode: own.code,
      buyerEmail,
      rowHash,
      notificationId: notifications[0]?.id ?? '',
      userId: viewerOf(this.companies),
      suppressed: await suppress(`${randomUUID()}@refused.example`),
      views: await this.newViews(),
      policy: await this.newPolicy(),
      messages,
    };
  }

  /** Creates an approval policy for a vendor without orders; returns its name. */
  private async newPolicy(): Promise<string> {
    const name = `POLICY-${randomUUID()}`;
    const { status, text } = await this.as('ADMIN').put(`/approval-policies/${name}`, TEST_POLICY);
    if (status !== 201) throw new Error(text);
    return name;
  }

  /** Replaces the views of the previous order, because a user may have at most 50. */
  private async newViews(): Promise<Subject['views']> {
    for (const [caller, id] of this.views.splice(0)) await this.as(caller).delete(`/views/${id}`);
    const { code } = this.companies.own;
    return {
      private: await this.newView('own vendor', { name: `Mine of ${code}`, query: { vendor: code }, shared: false }),
      shared: await this.newView('own vendor', { name: `Ours of ${code}`, query: { vendor: code }, shared: true }),
      internal: await this.newView('BUYER', { name: 'Late', query: { overdue: 'true' }, shared: true }),
    };
  }

  private async newView(caller: AuthenticatedCaller, view: object): Promise<string> {
    const { status, body } = await this.as(caller).post<View>('/views', view);
    if (status !== 201) throw new Error(`cannot create a view: ${JSON.stringify(body)}`);
    this.views.push([caller, body.id]);
    return body.id;
  }

  private async write(caller: AuthenticatedCaller, poRef: string, visibility: Message['visibility']): Promise<string> {
    const request = { body: `written by ${caller}`, visibility };
    return (await this.as(caller).post<Message>(`/purchase-orders/${poRef}/messages`, request)).body.id;
  }

  /** All messages of an order, as internal users see them. */
  private async messagesOf(poRef: string): Promise<Message[]> {
    return (await this.as('ADMIN').get<Message[]>(`/purchase-orders/${poRef}/messages`)).body;
  }

  /** Waits until every history entry and shared message has notified its recipient. Returns the notifications of the own vendor. */
  settled(poRef: string): Promise<Notification[]> {
    return eventually('both sides have all notifications', async () => {
      const [vendors, buyers] = [await this.inbox('own vendor', poRef), await this.inbox('BUYER', poRef)];
      const forBoth = (await this.messagesOf(poRef)).filter(({ visibility }) => visibility === 'all');
      return vendors.length + buyers.length === (await this.entriesOf(poRef)).length + forBoth.length && vendors;
    });
  }

  /** Identifiers of the own vendor and this order, which no answer to other callers may contain. */
  async identifiersOf({ poRef }: Subject): Promise<string[]> {
    const admin = this.as('ADMIN');
    const { own, buyerEmail } = this.companies;
    const rows = (await linesOf(admin, poRef)).flatMap(({ sizes }) => Object.values(sizes).map((size) => size.rowHash));
    const entries = (await historyOf(admin, poRef)).map(({ id }) => id);
    const notifications = [...(await this.inbox('own vendor', poRef)), ...(await this.inbox('BUYER', poRef))];
    const ids = notifications.map(({ id }) => id);
    const messages = (await this.messagesOf(poRef)).map(({ id }) => id);
    return [poRef, own.code, own.name, buyerEmail, ...rows, ...entries, ...ids, ...messages];
  }

  /** State that a refused request must not change. `except` is a caller whose own inbox and views may change. */
  async stateOf({ poRef }: Subject, except?: Caller): Promise<unknown> {
    const owners = (['own vendor', 'BUYER'] as const).filter((owner) => owner !== except);
    const inboxes = owners.map((owner) => this.inbox(owner, poRef));
    const views = owners.map((owner) => this.ownViews(owner));
    return Promise.all([footprint(this.as('ADMIN'), poRef), this.messagesOf(poRef), ...inboxes, ...views]);
  }

  /** Published versions and history entries of an order, once everything up to its current version is published. */
  async published(poRef: string): Promise<{ versions: unknown[]; entries: unknown[] }> {
    const { version } = await detailOf(this.as('ADMIN'), poRef);
    return eventually(`version ${version} is published`, async () => {
      const states = await this.world.records(TOPICS.state, poRef);
      const entries = await this.world.records(TOPICS.transitions, poRef);
      const isCurrent = states.at(-1)?.['poVersion'] === version;
      if (!isCurrent || entries.length !== (await this.entriesOf(poRef)).length) return false;
      return { versions: states.map((state) => state['poVersion']), entries: entries.map(({ id }) => id) };
    });
  }

  /** Ids of the history entries of an order, oldest first. */
  async entriesOf(poRef: string): Promise<string[]> {
    return (await historyOf(this.as('ADMIN'), poRef)).map(({ id }) => id).toReversed();
  }

  private async ownViews(caller: AuthenticatedCaller): Promise<View[]> {
    return (await this.as(caller).get<View[]>('/views')).body.filter(({ mine }) => mine);
  }

  private async inbox(caller: AuthenticatedCaller, poRef: string): Promise<Notification[]> {
    const answer: Answer<Notification[]> = await this.as(caller).get('/notifications');
    return answer.body.filter((notification) => notification.poRef === poRef);
  }
}
