/** @jest-environment @happy-dom/jest-environment */
import { BroadcastChannel, locks } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { createClient } from '@po/client';
import { act, screen, waitFor } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { showPart } from '../../fixtures/portal-part.js';
import { ApiContext, useApi } from '../api.js';
import { queriesOf } from '../queries.js';
import { writesOf } from '../writes.js';
import { LiveProvider, useLive } from './live.js';

// Browser APIs that the tabs use.
Object.assign(globalThis, { BroadcastChannel });
Object.defineProperty(navigator, 'locks', { value: locks });

/** A tab of a user: its component, the streams that the API opened for it, and a function that ends its session. */
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
  it('moves from a tab whose session expired to a tab with a valid token', async () => {
    const [expired, fresh] = [openTab('expired'), openTab('fresh')];
    showPart(
      <>
        <expired.Tab />
        <fresh.Tab />
      </>,
      {},
    );
    await screen.findByText('expired true');
    await screen.findByText('fresh true');
    expect(fresh.streams).toEqual([]);
    await expired.expire();
    await waitFor(() => expect(fresh.streams).toHaveLength(1));
    await screen.findByText('fresh true');
    expect(screen.getByText('expired false')).toBeTruthy();
  });

  it('on first connection, refreshes an order that was read before, and reads no later order twice', async () => {
    const opening = Promise.withResolvers<Response>();
    const requested: string[] = [];
    let version = 1;
    const client = createClient({
      baseUrl: 'http://portal.test/api',
      token: 'token',
      fetch: ({ url }) => {
        if (url.includes('/stream?')) return opening.promise;
        const poRef = url.slice(url.lastIndexOf('/') + 1);
        requested.push(poRef);
        return Promise.resolve(Response.json({ poRef, version }));
      },
    });
    const api = { client, queries: queriesOf(client), writes: writesOf(client) };
    function Order({ poRef }: { poRef: string }) {
      const { data } = useQuery({ ...useApi().queries.order(poRef), staleTime: Infinity });
      return <p>{data && `${poRef} version ${data.version}`}</p>;
    }
    function Orders() {
      return (
        <>
          <Order poRef="PO-1" />
          {useLive().connected && <Order poRef="PO-2" />}
        </>
      );
    }
    showPart(
      <ApiContext value={api}>
        <LiveProvider user="u-2" isOpen>
          <Orders />
        </LiveProvider>
      </ApiContext>,
      {},
    );
    await screen.findByText('PO-1 version 1');
    version = 2;
    await act(async () => opening.resolve(new Response(new ReadableStream())));
    await screen.findByText('PO-1 version 2');
    await screen.findByText('PO-2 version 2');
    expect(requested.toSorted()).toEqual(['PO-1', 'PO-1', 'PO-2']);
  });
});
