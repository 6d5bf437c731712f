/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { focusManager, useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import { LiveProvider } from '../../api/live/live.js';
import { type ApiAnswers, showPart } from '../../fixtures/portal-part.js';
import { useUpdates } from './use-updates.js';

const QUERY = { search: 'PO' };
const page = (version: number) => ({ data: [{ poRef: 'PO-1', version }], pagination: { total: 1 } });

const channels: EventTarget[] = [];

/** A channel without messages, as if another tab read the live stream. */
class SilentChannel extends EventTarget {
  constructor() {
    super();
    channels.push(this);
  }
  postMessage(): void {
    // No other tab listens.
  }
  close(): void {
    // Nothing to close.
  }
}
Object.assign(globalThis, { BroadcastChannel: SilentChannel });
Object.defineProperty(navigator, 'locks', { value: { request: () => new Promise(() => undefined) } });

function List() {
  const { queries } = useApi();
  const { data } = useQuery({ ...queries.orders(QUERY), refetchOnWindowFocus: false });
  const { marked, updates } = useUpdates(QUERY, data, () => false);
  return (
    <>
      <p>{data?.data.map(({ poRef, version }) => `${poRef} version ${version}`)}</p>
      <output>{`marked: ${[...marked].join()}; others: ${updates.orders}`}</output>
    </>
  );
}

describe('a list with rows that changed', () => {
  afterEach(() => {
    jest.useRealTimers();
    focusManager.setFocused(undefined);
  });

  it('is marked as stale, because its other rows and their order may have changed as well', async () => {
    const answers: ApiAnswers = { 'GET /purchase-orders': page(1) };
    const { cache } = showPart(
      <LiveProvider user="u-1" isOpen>
        <List />
      </LiveProvider>,
      answers,
    );
    await screen.findByText('PO-1 version 1');
    answers['GET /purchase-orders'] = page(2);
    fireEvent.focus(window);
    await screen.findByText('PO-1 version 2');
    expect(cache.getQueryState(KEYS.list(QUERY))?.isInvalidated).toBe(true);
  });

  it('is read again whenever the live stream opens, because earlier changes sent no event', async () => {
    const answers: ApiAnswers = { 'GET /purchase-orders': page(1) };
    showPart(
      <LiveProvider user="u-1" isOpen>
        <List />
      </LiveProvider>,
      answers,
    );
    await screen.findByText('PO-1 version 1');
    answers['GET /purchase-orders'] = page(2);
    const setConnected = (connected: boolean) => {
      const message = new MessageEvent('message', { data: { kind: 'connection', connected } });
      act(() => void channels.at(-1)?.dispatchEvent(message));
    };
    setConnected(true);
    await screen.findByText('PO-1 version 2');
    expect(screen.getByRole('status').textContent).toBe('marked: PO-1; others: 0');
    setConnected(false);
    answers['GET /purchase-orders'] = { data: [{ poRef: 'PO-2', version: 1 }], pagination: { total: 1 } };
    setConnected(true);
    await screen.findByText('marked: PO-1; others: 1');
    expect(screen.getByText('PO-1 version 2')).toBeTruthy();
  });

  it('is not read while its page is hidden, but once the page is shown', async () => {
    const { requested } = showPart(
      <LiveProvider user="u-1" isOpen>
        <List />
      </LiveProvider>,
      { 'GET /purchase-orders': page(1) },
    );
    await screen.findByText('PO-1 version 1');
    jest.useFakeTimers();
    focusManager.setFocused(false);
    const event = { event: 'po-changed', data: { poRef: 'PO-2', version: 2, statusId: 200 } };
    act(() => void channels.at(-1)?.dispatchEvent(new MessageEvent('message', { data: { kind: 'event', event } })));
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(requested).toHaveLength(1);
    focusManager.setFocused(undefined);
    fireEvent(document, new Event('visibilitychange', { bubbles: true }));
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(requested).toHaveLength(2);
  });
});
