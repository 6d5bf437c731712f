/** @jest-environment @happy-dom/jest-environment */
import { BroadcastChannel, locks } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient } from '@po/client';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { showPart } from '../../fixtures/portal-part.js';
import { ApiContext } from '../api.js';
import { queriesOf } from '../queries.js';
import { writesOf } from '../writes.js';
import { LiveProvider, useLive } from './live.js';

// As tabs of a browser have them.
Object.assign(globalThis, { BroadcastChannel });
Object.defineProperty(navigator, 'locks', { value: locks });

/** A tab of a user, with the streams that the API opened for it, and what ends its session. */
function openTab(name: string) {
  const streams: ReadableStreamDefaultController[] = [];
  let token = () => Promise.resolve('token');
  let expire = () => {};
  const client = createClient({
    baseUrl: 'http://portal.test/api',
    token: () => token(),
    fetch: async ({ signal }) => {
      const start = (controller: ReadableStreamDefaultController) => {
        signal.addEventListener('abort', () => controller.error(signal.reason));
        streams.push(controller);
      };
      return new Response(new ReadableStream({ start }));
    },
  });
  const api = { client, queries: queriesOf(client), writes: writesOf(client) };
  function State() {
    return (
      <p>
        {name} {String(useLive().connected)}
      </p>
    );
  }
  function Tab() {
    const [isOpen, setOpen] = useState(true);
    expire = () => {
      token = () => Promise.reject(new Error('the session has ended'));
      setOpen(false);
      streams.at(-1)?.close();
    };
    return (
      <ApiContext value={api}>
        <LiveProvider user="u-1" isOpen={isOpen}>
          <State />
        </LiveProvider>
      </ApiContext>
    );
  }
  return { Tab, streams, expire: () => act(async () => expire()) };
}

describe('the live stream', () => {
  afterEach(cleanup);

  it('is left by a tab whose session has expired to one that has a token', async () => {
    const [expired, fresh] = [openTab('expired'), openTab('fresh')];
    showPart(
      <>
        <expired.Tab />
        <fresh.Tab />
      </>,
      {},
    );
    await screen.findByText('expired true', {}, { timeout: 20_000 });
    await screen.findByText('fresh true');
    expect(fresh.streams).toEqual([]);
    await expired.expire();
    await waitFor(() => expect(fresh.streams).toHaveLength(1), { timeout: 10_000 });
    await screen.findByText('fresh true');
    expect(screen.getByText('expired false')).toBeTruthy();
  });
});
