/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import BellList from './bell-list.js';
import type { Notification } from '../api/schemas.js';

const NOW = '2027-03-04T10:00:00.000Z';

const notification = (id: string, changes: Partial<Notification>) => ({
  id,
  read: false,
  readAt: null,
  createdAt: NOW,
  historyId: id,
  poRef: 'PO-1',
  poNumber: 'PO-1',
  vendor: 'Crane Textiles Co.',
  comment: null,
  title: `Title ${id}`,
  titleZh: `标题 ${id}`,
  ...changes,
});

const INBOX = [
  notification('decided', { action: 'APPROVE', read: true }),
  notification('imported', { action: 'IMPORT', createdAt: '2027-03-01T10:00:00.000Z' }),
];

const REMINDER = {
  ...notification('late', {
    kind: 'REMINDER',
    action: null,
    historyId: null,
    fromStatusId: null,
    reminder: { rule: 'REPLY_DUE', dueOn: '2027-03-03', step: 1 },
  }),
  messageId: null,
};

const show = (answers: ApiAnswers, language: 'en' | 'zh' = 'en') =>
  showPart(<BellList unread={1} close={() => undefined} />, answers, language);
const titles = () => screen.getAllByText(/^(?:Title|标题) /).map(({ textContent }) => textContent);

describe('the list of notifications', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['en', 'today', ['Title decided', 'Title imported']],
    ['zh', '今天', ['标题 decided', '标题 imported']],
  ] as const)('is grouped by day: %s', async (language, today, expected) => {
    jest.useFakeTimers({ now: new Date(NOW), advanceTimers: true });
    show({ 'GET /notifications': INBOX }, language);
    const day = await screen.findByRole('region', { name: today });
    expect(within(day).getAllByRole('listitem')).toHaveLength(1);
    expect(titles()).toEqual(expected);
  });

  it('filters loaded notifications by kind, and requests unread ones from the API', async () => {
    const { requested } = show({ 'GET /notifications': INBOX });
    await screen.findByText('Title decided');
    await userEvent.click(screen.getByRole('radio', { name: 'Decisions' }));
    expect(titles()).toEqual(['Title decided']);
    await userEvent.click(screen.getByRole('radio', { name: 'Production and shipping' }));
    expect(screen.getByText('No notifications of this kind')).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'Unread' }));
    await waitFor(() => expect(requested.at(-1)).toBe('GET /notifications?limit=50&unread=true'));
  });

  it('keeps the focus in the list while older notifications load, and when there are no more', async () => {
    const newest = Array.from({ length: 50 }, (_, at) => notification(`new-${at}`, { read: true }));
    const older = Array.from({ length: 50 }, (_, at) => notification(`old-${at}`, { read: true }));
    let answer: (page: typeof older) => void = () => undefined;
    const { requested } = show({
      'GET /notifications': newest,
      'GET /notifications?limit=50&before=new-49': new Promise((resolve) => (answer = resolve)),
      'GET /notifications?limit=50&before=old-49': [],
    });
    const button = await screen.findByRole('button', { name: 'Show older notifications' });
    act(() => button.focus());
    await userEvent.keyboard('{Enter}{Enter}');
    expect([document.activeElement, button.getAttribute('aria-busy'), requested.length]).toEqual([button, 'true', 2]);
    answer(older);
    await screen.findByText('Title old-49');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(button.isConnected).toBe(false));
    expect(document.activeElement?.textContent).toMatch(/^Title old-49/);
  });

  it('loads older notifications of a kind of which none is loaded yet', async () => {
    const newest = Array.from({ length: 50 }, (_, place) => notification(`decided-${place}`, { action: 'APPROVE' }));
    show({
      'GET /notifications': newest,
      'GET /notifications?limit=50&before=decided-49': [notification('shipped', { action: 'MARK_SHIPPED' })],
    });
    await userEvent.click(await screen.findByRole('radio', { name: 'Production and shipping' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Show older notifications' }));
    await waitFor(() => expect(titles()).toEqual(['Title shipped']));
  });

  it('shows reminders with icon, day and a link to their order, and requests them by kind', async () => {
    const { requested } = show({ 'GET /notifications': [REMINDER, ...INBOX] });
    const reminder = await screen.findByRole('link', { name: /Title late/ });
    expect(within(reminder).getByRole('img', { name: 'Reminder' })).toBeTruthy();
    expect(reminder.textContent).toContain('Reminder of 3 Mar 2027 · Crane Textiles Co.');
    expect(reminder.getAttribute('href')).toBe('/orders/PO-1');
    expect(screen.getAllByRole('img', { name: 'Reminder' })).toHaveLength(1);
    await userEvent.click(screen.getByRole('radio', { name: 'Reminders' }));
    await waitFor(() => expect(titles()).toEqual(['Title late']));
    expect(requested.at(-1)).toBe('GET /notifications?limit=50&kind=REMINDER');
  });

  it.each([
    ['en', 'Messages', 'Message'],
    ['zh', '消息', '消息'],
  ] as const)(
    'shows messages with icon, text and a link to their place, and requests them by kind: %s',
    async (language, kind, icon) => {
      const message = { ...REMINDER, id: 'asked', kind: 'MESSAGE', reminder: null, messageId: 'm-1', comment: 'Why?' };
      const { requested } = show({ 'GET /notifications': [message, ...INBOX] }, language);
      const link = await screen.findByRole('link', { name: /Why\?/ });
      expect(within(link).getByRole('img', { name: icon })).toBeTruthy();
      expect(link.getAttribute('href')).toBe('/orders/PO-1#message-m-1');
      await userEvent.click(screen.getByRole('radio', { name: kind }));
      await waitFor(() => expect(titles()).toHaveLength(1));
      expect(requested.at(-1)).toBe('GET /notifications?limit=50&kind=MESSAGE');
    },
  );

  it('marks a single notification and all notifications as read', async () => {
    const done = { success: true };
    const { requested } = show({
      'GET /notifications': INBOX,
      'PUT /notifications/imported/read': done,
      'PUT /notifications/all/read': done,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as read: Title imported' }));
    // The clicked button disappears or is disabled, but the focus stays in the list.
    expect(document.activeElement).toBe(screen.getByRole('link', { name: /Title imported/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Notifications' }));
    await waitFor(() =>
      expect(requested.filter((request) => request.startsWith('PUT'))).toEqual([
        'PUT /notifications/imported/read',
        'PUT /notifications/all/read',
      ]),
    );
  });

  it('fails to mark as read at once without a connection, so that later notifications stay unread', async () => {
    const { requested } = show({ 'GET /notifications': INBOX });
    const button = await screen.findByRole('button', { name: 'Mark all as read' });
    dispatchEvent(new Event('offline'));
    try {
      await userEvent.click(button);
      await screen.findByRole('alert');
    } finally {
      dispatchEvent(new Event('online'));
    }
    await waitFor(() => expect(requested.at(-1)).toBe('GET /notifications?limit=50'));
    expect(requested.filter((request) => request.startsWith('PUT'))).toHaveLength(1);
  });

  it('keeps the focus when an unread notification leaves the list after it is read', async () => {
    const answers: ApiAnswers = { 'GET /notifications': INBOX, 'PUT /notifications/imported/read': { success: true } };
    show(answers);
    await userEvent.click(await screen.findByRole('radio', { name: 'Unread' }));
    const mark = await screen.findByRole('button', { name: 'Mark as read: Title imported' });
    answers['GET /notifications'] = [];
    await userEvent.click(mark);
    await screen.findByText('You are up to date');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Notifications' }));
  });
});
