/** @jest-environment @happy-dom/jest-environment */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { KEYS } from '../../api/keys.js';
import type { Message, OrderDetail } from '../../api/schemas.js';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { refusal } from '../../fixtures/refusal.js';
import { storageKey } from '../../storage/text-storage.js';
import { TEXTS } from '../../storage/use-stored.js';
import { EditedOrder } from '../edit/edited-order.js';
import { line } from '../lines/sample-lines.js';
import { EMPTY, readDraft, serializeDraft, withRows } from './message-draft.js';
import { TimelinePanel } from './timeline-panel.js';

const HISTORY = 'GET /purchase-orders/PO-1/history';
const LIST = 'GET /purchase-orders/PO-1/messages';
const POST = 'POST /purchase-orders/PO-1/messages';
const PEOPLE = 'GET /purchase-orders/PO-1/participants';
const DRAFT = storageKey('u-1', ['order', 'PO-1', 'message']);
const SEEN = storageKey('u-1', ['seen']);
const ORDER = { poRef: 'PO-1', editableFields: [] as string[] } as OrderDetail;
const LINES = { version: 1, data: [line({ style: 'KP', color: 'BLK', sizes: { S: 1, M: 2 } })] };

const message = (number: number, changes: Partial<Message> = {}): Message => ({
  id: `01981d2a-6f3e-7c41-9b58-00000000000${number}`,
  poRef: 'PO-1',
  body: `Message ${number}`,
  visibility: 'all',
  rows: [],
  mentions: [],
  authorId: 'vendor',
  authorName: 'Li Wei',
  authorRole: 'VENDOR',
  createdAt: `2027-03-01T10:0${number}:00.000Z`,
  ...changes,
});
const row = (size: string) => ({ rowHash: `KP/BLK/${size}`, code: 'KP-BLK', style: 'KP', color: 'BLK', size });
const me = (role: string) => ({ userId: 'me', name: 'Dana', role, vendorCode: null, unreadNotifications: 0 });
const people = [
  { userId: 'me', name: 'Dana', role: 'BUYER', vendorCode: null },
  { userId: 'b-2', name: 'Marta Lind', role: 'BUYER', vendorCode: null },
  { userId: 'v-1', name: 'Mario Li', role: 'VENDOR', vendorCode: 'ACME' },
];

const Part = () => (
  <EditedOrder order={ORDER} lines={LINES}>
    {() => <TimelinePanel poRef="PO-1" />}
  </EditedOrder>
);

const show = (answers: ApiAnswers = {}, role = 'BUYER', language: 'en' | 'zh' = 'en') => {
  const all: ApiAnswers = { 'GET /me': me(role), [HISTORY]: [], [LIST]: [], [PEOPLE]: people, ...answers };
  return { ...showPart(<Part />, all, language), answers: all };
};
const field = () => screen.findByRole<HTMLTextAreaElement>('combobox', { name: 'Message' });
const post = () => userEvent.click(screen.getByRole('button', { name: 'Post' }));

describe('the conversation about an order', () => {
  beforeEach(() => {
    for (const name of [DRAFT, SEEN]) TEXTS.set(name, '');
  });

  it('moves through the people by arrow keys, and suggests no one after Escape, never the user, and no vendor in an internal message', async () => {
    show();
    await userEvent.type(await field(), 'Hi @ma');
    const active = async () => (await field()).getAttribute('aria-activedescendant');
    const first = await screen.findByRole('option', { name: 'Marta Lind' });
    expect(await active()).toBe(first.id);
    await userEvent.keyboard('{ArrowDown}');
    expect(await active()).toBe(screen.getByRole('option', { name: 'Mario Li Vendor ACME' }).id);
    await userEvent.keyboard('{ArrowUp}');
    expect(await active()).toBe(first.id);
    // Only ends the composition of a character.
    fireEvent.keyDown(await field(), { key: 'Enter', keyCode: 229 });
    expect((await field()).value).toBe('Hi @ma');
    await userEvent.keyboard('{Escape}r');
    expect(screen.queryByRole('option')).toBeNull();
    expect((await field()).getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(screen.getByRole('switch', { name: 'Internal' }));
    await userEvent.type(await field(), ' @');
    await waitFor(() =>
      expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Marta Lind']),
    );
  });

  it('suggests everyone whom the API finds, and until it answers those of its last answer whose names fit', async () => {
    let answer: (found: unknown) => void = () => undefined;
    show({ [`${PEOPLE}?limit=8&q=in`]: new Promise((resolve) => (answer = resolve)) });
    await userEvent.type(await field(), '@');
    const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
    await screen.findByRole('option', { name: 'Mario Li Vendor ACME' });
    await userEvent.keyboard('in');
    expect(names()).toEqual(['Marta Lind']);
    answer([{ userId: 'b-3', name: 'İnce', role: 'BUYER', vendorCode: null }]);
    await waitFor(() => expect(names()).toEqual(['İnce']));
  });

  it('keeps the idempotency key after a lost answer and the text after a refusal', async () => {
    const { answers, keys, sent } = show();
    await userEvent.type(await field(), 'Why?');
    await post();
    expect((await screen.findByRole('alert')).textContent).toContain('Check your connection');
    answers[POST] = refusal(422, { code: 'USER_NOT_FOUND', detail: 'A user cannot be mentioned.' });
    await post();
    expect((await screen.findByText('A user cannot be mentioned.')).textContent).toBeTruthy();
    expect((await field()).value).toBe('Why?');
    answers[POST] = Response.json(message(1, { body: 'Why?' }), { status: 201 });
    await post();
    await screen.findByText('Message posted.');
    expect(sent.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => sent[0]?.body));
    expect(keys[0]).toBeTruthy();
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
  });

  it('keeps text typed in another tab during posting as a separate message', async () => {
    let answer: (response: Response) => void = () => undefined;
    const { answers, keys } = show({ [POST]: new Promise<Response>((resolve) => (answer = resolve)) });
    await userEvent.type(await field(), 'Why?');
    await post();
    const now = readDraft(TEXTS.get(DRAFT));
    act(() => TEXTS.set(DRAFT, serializeDraft({ ...now, body: 'Why? And when?' })));
    answer(Response.json(message(1, { body: 'Why?' }), { status: 201 }));
    await screen.findByText('Message posted.');
    expect((await field()).value).toBe('Why? And when?');
    answers[POST] = Response.json(message(2), { status: 201 });
    await post();
    await waitFor(async () => expect((await field()).value).toBe(''));
    expect(new Set(keys).size).toBe(2);
  });

  it('makes an empty draft visible to the vendor without confirmation', async () => {
    show();
    const internal = await screen.findByRole<HTMLInputElement>('switch', { name: 'Internal' });
    await userEvent.click(internal);
    await userEvent.click(internal);
    expect([screen.queryByRole('dialog'), internal.checked]).toEqual([null, false]);
  });

  it.each([
    ['VENDOR', 'en', 'Write a message', [1, 0]],
    ['VIEWER', 'en', 'Write a message', [0, 0]],
    ['ADMIN', 'zh', '写消息', [1, 1]],
  ] as const)(
    'offers a %s the form and the switch that the role may use, in language %s',
    async (role, language, name, expected) => {
      show({ [LIST]: [message(1)] }, role, language);
      await screen.findByText('Message 1');
      await waitFor(() =>
        expect(
          [screen.queryAllByRole('form', { name }), screen.queryAllByRole('switch')].map((all) => all.length),
        ).toEqual(expected),
      );
    },
  );

  it('shows how many characters are left near the limit and does not post beyond it', async () => {
    show();
    fireEvent.change(await field(), { target: { value: 'a'.repeat(3801) } });
    expect(screen.getByText('199 characters left')).toBeTruthy();
    fireEvent.change(await field(), { target: { value: 'a'.repeat(4001) } });
    expect(screen.getByText('1 character too many')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Post' }).disabled).toBe(true);
  });

  it('names the cells of a message and says how many are no longer in the order', async () => {
    TEXTS.set(DRAFT, serializeDraft(withRows({ ...EMPTY, body: 'Why?' }, [row('S'), row('XL')])));
    const { sent } = show({
      [LIST]: [message(1, { rows: [row('M')] })],
      [POST]: Response.json(message(2), { status: 201 }),
    });
    expect(await screen.findByRole('button', { name: '1 cell: KP · BLK · M' })).toBeTruthy();
    const chip = screen.getByRole('button', {
      name: '2 cells, 1 no longer in the order: KP · BLK · S, KP · BLK · XL',
    });
    expect(chip.getAttribute('aria-disabled')).toBe('false');
    await post();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ rows: ['KP/BLK/S'] }));
  });

  it('moves the focus to the text when the cells are removed from a message', async () => {
    TEXTS.set(DRAFT, serializeDraft(withRows({ ...EMPTY, body: 'Why?' }, [row('S')])));
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the cells' }));
    expect(screen.queryByRole('button', { name: /^1 cell/ })).toBeNull();
    expect(document.activeElement).toBe(await field());
  });

  it('separates new items, counts them in the page title and announces new messages', async () => {
    TEXTS.set(SEEN, JSON.stringify([['PO-1', message(1).createdAt]]));
    document.title = 'PO-1 · Purchase orders';
    const { answers, cache } = show({ [LIST]: [message(3), message(2), message(1)] });
    const line = await screen.findByText('New since your last visit: 2');
    expect(line.closest('li')?.textContent).toContain('Message 2');
    expect([screen.getByText('2 new').tagName, document.title]).toEqual(['SPAN', '(2) PO-1 · Purchase orders']);
    answers[LIST] = [message(4), message(3), message(2), message(1)];
    await cache.invalidateQueries({ queryKey: KEYS.messages('PO-1') });
    expect(await screen.findByText('New message from Li Wei: Message 4')).toBeTruthy();
    expect(document.title).toBe('(3) PO-1 · Purchase orders');
    cleanup();
    expect(document.title).toBe('PO-1 · Purchase orders');
  });

  it('shows the history and an error if the messages cannot be loaded', async () => {
    const entry = {
      id: 'h',
      actionLabel: 'Import',
      actionLabelZh: '导入',
      actorId: null,
      occurredAt: message(1).createdAt,
      changes: null,
      comment: null,
    };
    show({ [HISTORY]: [entry], [LIST]: refusal(503, { code: 'UNAVAILABLE', detail: 'Later' }) });
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(await screen.findByText('Import')).toBeTruthy();
  });

  it('says that a linked message does not exist only after 404, and tries again after another failure', async () => {
    const { id } = message(9);
    const { answers, router } = show({
      [LIST]: [message(1)],
      [`${LIST}/${id}`]: refusal(503, { code: 'UNAVAILABLE' }),
    });
    await screen.findByText('Message 1');
    await act(() => router.navigate({ to: '/', hash: `message-${id}` }));
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText(/^This message does not exist/)).toBeNull();
    answers[`${LIST}/${id}`] = refusal(404, { code: 'MESSAGE_NOT_FOUND' });
    await userEvent.click(again);
    expect(await screen.findByText(/^This message does not exist/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('loads older messages until it can show the linked change', async () => {
    const page = Array.from({ length: 50 }, (_, at) => message(2, { id: `m-${50 - at}` }));
    const older = `${LIST}?limit=50&before=m-1`;
    const entry = { id: 'h', actionLabel: 'Import', occurredAt: message(1).createdAt, changes: null, comment: null };
    const { router } = show({ [HISTORY]: [entry], [LIST]: page, [older]: [message(0)] });
    expect((await screen.findAllByText('Message 2')).length).toBeGreaterThan(0);
    expect(screen.queryByText('Import')).toBeNull();
    await act(() => router.navigate({ to: '/', hash: 'entry-h' }));
    expect(await screen.findByText('Import')).toBeTruthy();
  });

  it('keeps the focus in the timeline when it shows everything', async () => {
    show({ [LIST]: Array.from({ length: 6 }, (_, at) => message(6 - at)) });
    const button = await screen.findByRole('button', { name: 'Show 1 more' });
    act(() => button.focus());
    await userEvent.keyboard('{Enter}');
    await screen.findByText('Message 1');
    expect(document.activeElement?.id).toBe(`message-${message(2).id}`);
  });

  it('shows a posted message and older ones that were being loaded', async () => {
    const page = Array.from({ length: 50 }, (_, at) => message(2, { id: `m-${50 - at}` }));
    let end: (older: Message[]) => void = () => undefined;
    const older = new Promise((resolve) => (end = resolve));
    const { answers } = show({ [LIST]: page, [`${LIST}?limit=50&before=m-1`]: older });
    for (let shown = 5; shown <= 50; shown += 5)
      await userEvent.click(await screen.findByRole('button', { name: /^Show (5 more|older)$/ }));
    await userEvent.type(await field(), 'Why?');
    const posted = message(3, { body: 'Why?' });
    answers[LIST] = [posted, ...page.slice(0, -1)];
    answers[`${LIST}?limit=50&before=m-2`] = [...page.slice(-1), message(0)];
    answers[POST] = Response.json(posted, { status: 201 });
    await post();
    await screen.findByText('Message posted.');
    await act(async () => end([message(0)]));
    expect(await screen.findByText('Why?', { selector: 'li *' })).toBeTruthy();
    expect(await screen.findByText('Message 0')).toBeTruthy();
  });

  it('shows a linked change again after another filter was chosen', async () => {
    const entry = { id: 'h', actionLabel: 'Import', occurredAt: message(1).createdAt, changes: null, comment: null };
    const { router } = show({ [HISTORY]: [entry], [LIST]: [message(1)] });
    const follow = () => act(() => router.navigate({ to: '/', hash: 'entry-h' }));
    await screen.findByText('Import');
    await follow();
    await userEvent.click(screen.getByRole('radio', { name: 'Messages' }));
    await waitFor(() => expect(screen.queryByText('Import')).toBeNull());
    await follow();
    expect(await screen.findByText('Import')).toBeTruthy();
    expect(document.activeElement?.id).toBe('entry-h');
  });

  it('loads the messages again on request after a failed refresh', async () => {
    const { answers, cache } = show({ [LIST]: [message(1)] });
    await screen.findByText('Message 1');
    answers[LIST] = refusal(503, { code: 'UNAVAILABLE', detail: 'Later' });
    await cache.invalidateQueries({ queryKey: KEYS.messages('PO-1') });
    const again = await screen.findByRole('button', { name: 'Try again' });
    answers[LIST] = [message(2), message(1)];
    await userEvent.click(again);
    expect(await screen.findByText('Message 2')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
