/** @jest-environment @happy-dom/jest-environment */
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Preferences } from '../api/schemas.js';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import { refusal } from '../fixtures/refusal.js';
import { PreferencesPage } from './preferences-page.js';
import { PREFERENCES } from './sample-preferences.js';

const READ = 'GET /me/preferences';
const WRITE = 'PUT /me/preferences';
const answer = (version: number, changes: Partial<Preferences> = {}) =>
  Response.json({ ...PREFERENCES, ...changes }, { headers: { etag: `"${version}"` } });
const outdated = () => refusal(412, { code: 'VERSION_MISMATCH' });

const show = (answers: ApiAnswers, language: 'en' | 'zh' = 'en') => showPart(<PreferencesPage />, answers, language);
const choose = async (group: string, option: string) =>
  userEvent.click(within(await screen.findByRole('radiogroup', { name: group })).getByRole('radio', { name: option }));
const chosen = (group: string) =>
  within(screen.getByRole('radiogroup', { name: group }))
    .getAllByRole<HTMLInputElement>('radio')
    .find(({ checked }) => checked)?.value;
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const save = () => userEvent.click(button('Save'));

describe('the page of preferences', () => {
  beforeEach(() => {
    localStorage.clear();
    dispatchEvent(new Event('online'));
  });

  it('confirms a save and then has nothing left to save', async () => {
    show({ [READ]: answer(0), [WRITE]: answer(1, { digestAt: '09:00' }) });
    const time = await screen.findByLabelText<HTMLInputElement>('Time of the daily summary');
    expect(button('Save').disabled).toBe(true);
    expect(screen.getByText(/^It is .+ there\. For e-mails; this portal .+ this device\.$/)).toBeTruthy();
    fireEvent.change(time, { target: { value: '09:00' } });
    await save();
    expect(await screen.findByText('Saved')).toBeTruthy();
    expect([button('Save').disabled, time.value]).toEqual([true, '09:00']);
    expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
  });

  it('refuses to save without a time, and restores the values on discard', async () => {
    show({ [READ]: answer(1) });
    const time = await screen.findByLabelText<HTMLInputElement>('Time of the daily summary');
    fireEvent.change(time, { target: { value: '' } });
    expect(screen.getByText('Enter a time from 00:00 to 23:59.')).toBeTruthy();
    expect(button('Save').disabled).toBe(true);
    await userEvent.click(button('Discard'));
    expect(time.value).toBe('08:00');
  });

  it('takes the newer values if the user chooses so', async () => {
    const answers: ApiAnswers = { [READ]: answer(1), [WRITE]: outdated() };
    show(answers);
    await choose('Reminders', 'Off');
    answers[READ] = answer(2, { mail: { ...PREFERENCES.mail, REMINDER: 'digest' } });
    await save();
    await userEvent.click(await screen.findByRole('button', { name: 'Use the newer settings' }));
    expect(chosen('Reminders')).toBe('digest');
    expect(button('Save').disabled).toBe(true);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows newer values, and overwrites them only after the user confirms', async () => {
    const answers: ApiAnswers = { [READ]: answer(1), [WRITE]: outdated() };
    const { sent } = show(answers);
    await choose('Reminders', 'Off');
    const newer = { digestAt: '06:15', mail: { ...PREFERENCES.mail, REMINDER: 'digest' as const } };
    answers[READ] = answer(2, newer);
    await save();
    const notice = await screen.findByRole('alert', { name: 'Changed elsewhere in the meantime' });
    expect(within(notice).getByText('Reminders: Daily summary')).toBeTruthy();
    expect(within(notice).getByText('Time of the daily summary: 06:15')).toBeTruthy();
    await userEvent.click(within(notice).getByRole('button', { name: 'Keep what I chose' }));
    const kept = { ...newer, mail: { ...newer.mail, REMINDER: 'off' as const } };
    answers[WRITE] = answer(3, kept);
    await save();
    await screen.findByText('Saved');
    expect(sent.map(({ version }) => version)).toEqual(['"1"', '"2"']);
    expect(sent[1]?.body).toEqual({ ...PREFERENCES, ...kept });
  });

  it('does not present a save whose answer was lost as a change from another place', async () => {
    const answers: ApiAnswers = { [READ]: answer(1) };
    const { cache } = show(answers);
    await choose('Reminders', 'Off');
    await save();
    await screen.findByRole('alert');
    answers[READ] = answer(2, { mail: { ...PREFERENCES.mail, REMINDER: 'off' } });
    answers[WRITE] = outdated();
    await save();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull());
    expect([screen.queryByRole('alert'), chosen('Reminders'), button('Save').disabled]).toEqual([null, 'off', true]);
    answers[READ] = answer(3, { mail: { ...PREFERENCES.mail, REMINDER: 'digest' } });
    await act(() => cache.invalidateQueries());
    await waitFor(() => expect(chosen('Reminders')).toBe('digest'));
    expect([screen.queryByRole('alert'), screen.queryByRole('button', { name: 'Discard' })]).toEqual([null, null]);
  });

  it('keeps a choice made during a save for the next save', async () => {
    let end: (response: Response) => void = () => undefined;
    const answers: ApiAnswers = { [READ]: answer(1), [WRITE]: new Promise<Response>((resolve) => (end = resolve)) };
    const { sent } = show(answers);
    await choose('Reminders', 'Off');
    await save();
    await choose('Messages', 'Daily summary');
    await save();
    const off = { ...PREFERENCES.mail, REMINDER: 'off' as const };
    end(answer(2, { mail: off }));
    await waitFor(() => expect(button('Save').disabled).toBe(false));
    answers[WRITE] = answer(3, { mail: { ...off, MESSAGE: 'digest' } });
    await save();
    await screen.findByText('Saved');
    expect(sent.map(({ version }) => version)).toEqual(['"1"', '"2"']);
    expect([chosen('Reminders'), chosen('Messages')]).toEqual(['off', 'digest']);
  });

  it('keeps a value that was changed back during a save for the next save', async () => {
    let end: (response: Response) => void = () => undefined;
    const answers: ApiAnswers = { [READ]: answer(1), [WRITE]: new Promise<Response>((resolve) => (end = resolve)) };
    show(answers);
    await choose('Reminders', 'Off');
    await save();
    await choose('Reminders', 'Immediately');
    end(answer(2, { mail: { ...PREFERENCES.mail, REMINDER: 'off' } }));
    await waitFor(() => expect(button('Save').disabled).toBe(false));
    expect(chosen('Reminders')).toBe('now');
  });

  it('reports what the API refuses, and keeps the choices', async () => {
    show({ [READ]: answer(1), [WRITE]: refusal(400, { code: 'VALIDATION_FAILED', detail: 'timeZone: no such zone' }) });
    await choose('Messages', 'Daily summary');
    await save();
    expect((await screen.findByRole('alert')).textContent).toContain('timeZone: no such zone');
    expect(chosen('Messages')).toBe('digest');
  });

  it('reports a missing connection at once, and can discard the changes', async () => {
    const { sent } = show({ [READ]: answer(1) });
    await choose('Reminders', 'Off');
    dispatchEvent(new Event('offline'));
    await save();
    expect((await screen.findByRole('alert')).textContent).toContain('Check your connection');
    await userEvent.click(button('Discard'));
    dispatchEvent(new Event('online'));
    expect([chosen('Reminders'), sent.length]).toEqual(['now', 1]);
  });

  it('switches the portal to the saved language, regardless of an earlier choice in this browser', async () => {
    localStorage.setItem('po.language:u-1', 'en');
    const { sent } = show({ [READ]: answer(1), [WRITE]: answer(2, { locale: 'zh' }) });
    await choose('Language', '中文');
    expect(screen.getByRole('heading', { name: 'Preferences' })).toBeTruthy();
    await save();
    expect(await screen.findByRole('heading', { name: '偏好设置' })).toBeTruthy();
    expect(sent[0]?.body).toEqual({ ...PREFERENCES, locale: 'zh' });
    expect(localStorage.getItem('po.language:u-1')).toBeNull();
  });

  it.each(['en', 'zh'] as const)('reserves the space of the picture of a mail: %s', async (language) => {
    show({ [READ]: answer(1) }, language);
    const picture = await screen.findByRole('img', { name: /^An e-mail|^一封/ });
    const file = await readFile(new URL(picture.getAttribute('src') ?? ''));
    // Width and height in the header of the PNG.
    const size = [file.readUInt32BE(16), file.readUInt32BE(20)];
    expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(size.map(String));
  });

  it('asks for confirmation before the user leaves with unsaved changes', async () => {
    const { router } = show({ [READ]: answer(1) });
    await choose('Reminders', 'Off');
    void router.navigate({ to: '/orders' });
    expect(await screen.findByText('Leave without saving?')).toBeTruthy();
    await userEvent.click(screen.getByText('Stay'));
    expect([router.state.location.pathname, chosen('Reminders')]).toEqual(['/', 'off']);
    await waitFor(() => expect((document.activeElement as HTMLInputElement).value).toBe('off'));
    void router.navigate({ to: '/orders' });
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
  });
});
