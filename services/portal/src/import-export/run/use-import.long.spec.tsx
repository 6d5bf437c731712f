/** @jest-environment @happy-dom/jest-environment */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { FileFormat } from '../../api/writes.js';
import { Problem } from '../../components/loading-and-errors/states.js';
import { showPart } from '../../fixtures/portal-part.js';
import { readSheet } from '../file/read-sheet.js';
import { Importing } from '../review/importing.js';
import { type Chosen, useImport } from './use-import.js';

/** Replaces a worker, which this environment lacks, by reading in the page. */
class PageWorker extends EventTarget {
  static isMissing = false;
  static terminated = Promise.withResolvers<void>();
  postMessage({ bytes, kind }: { bytes: Uint8Array; kind: FileFormat }): void {
    if (PageWorker.isMissing) this.dispatchEvent(new Event('error'));
    else void readSheet(bytes, kind).then((data) => this.dispatchEvent(new MessageEvent('message', { data })));
  }
  terminate(): void {
    PageWorker.terminated.resolve();
  }
}
Object.assign(globalThis, { Worker: PageWorker });

/** A file that is saved again after the first read; browsers then refuse to read it. */
class ResavedFile extends File {
  private reads = 0;
  override arrayBuffer(): Promise<ArrayBuffer> {
    this.reads += 1;
    return this.reads === 1 ? super.arrayBuffer() : Promise.reject(new DOMException('changed', 'NotReadableError'));
  }
  override text(): Promise<string> {
    return this.arrayBuffer().then((bytes) => new TextDecoder().decode(bytes));
  }
}

/** A file whose read completes only when the test allows it. */
class SlowFile extends File {
  static read = Promise.withResolvers<void>();
  override arrayBuffer(): Promise<ArrayBuffer> {
    return SlowFile.read.promise.then(() => super.arrayBuffer());
  }
}

const LINES = 'PO Number,Row ID,Reply Qty\nPO-1,a,7\n';

describe('an imported file', () => {
  afterEach(() => {
    dispatchEvent(new Event('online'));
  });

  it('is sent with the content that it had when it was chosen, even if it was saved again since', async () => {
    let chosen: Chosen | null = null;
    function Import() {
      const imports = useImport(null);
      chosen = imports.chosen;
      return (
        <button type="button" onClick={() => void imports.choose([new ResavedFile([LINES], 'lines.csv')])}>
          {imports.chosen?.parts.map(({ poRef, state }) => `${poRef} ${state.at}`).join() ?? 'Choose'}
        </button>
      );
    }
    showPart(<Import />, {});
    await userEvent.click(await screen.findByRole('button', { name: 'Choose' }));
    await screen.findByRole('button', { name: 'PO-1 refused' });
    expect(await (chosen as Chosen | null)?.parts[0]?.file().content.text()).toBe(LINES);
  });

  it('is the file chosen last, even if an earlier file finishes reading later', async () => {
    function Import() {
      const { choose, chosen } = useImport(null);
      const both = () => {
        void choose([new SlowFile([LINES], 'slow.csv')]);
        void choose([new File([LINES], 'second.csv')]);
      };
      return (
        <button type="button" onClick={both}>
          {chosen?.file.name ?? 'Choose'}
        </button>
      );
    }
    showPart(<Import />, {});
    await userEvent.click(await screen.findByRole('button', { name: 'Choose' }));
    await screen.findByRole('button', { name: 'second.csv' });
    await act(async () => SlowFile.read.resolve());
    expect(await screen.findByRole('button', { name: 'second.csv' })).toBeTruthy();
  });

  it('replaces a file whose check is still running, and is shown as being read', async () => {
    SlowFile.read = Promise.withResolvers();
    function Import() {
      const { choose, phase } = useImport(null);
      const next = phase === 'idle' ? new File([LINES, 'PO-2,b,7\n'], 'first.csv') : new SlowFile([LINES], 'slow.csv');
      return (
        <button type="button" onClick={() => void choose([next])}>
          {phase}
        </button>
      );
    }
    const check = Promise.withResolvers<Response>();
    const { requested } = showPart(<Import />, { 'GET /purchase-orders/PO-1/line-items': check.promise });
    await userEvent.click(await screen.findByRole('button', { name: 'idle' }));
    await userEvent.click(await screen.findByRole('button', { name: 'checking' }));
    await act(async () => check.resolve(Response.json({}, { status: 404 })));
    expect(requested).toEqual(['GET /purchase-orders/PO-1/line-items']);
    expect(screen.getByRole('button', { name: 'reading' })).toBeTruthy();
    await act(async () => SlowFile.read.resolve());
  });

  it('of several orders is refused at once without a connection, instead of waiting for it', async () => {
    function Import() {
      const { choose, chosen } = useImport(null);
      return (
        <button type="button" onClick={() => void choose([new File([LINES, 'PO-2,b,7\n'], 'lines.csv')])}>
          {chosen?.parts.map(({ poRef, state }) => `${poRef} ${state.at}`).join() ?? 'Choose'}
        </button>
      );
    }
    showPart(<Import />, {});
    const choose = await screen.findByRole('button', { name: 'Choose' });
    dispatchEvent(new Event('offline'));
    await userEvent.click(choose);
    expect(await screen.findByRole('button', { name: 'PO-1 refused,PO-2 waiting' })).toBeTruthy();
  });

  it('is not checked if the user leaves the page while it is being read', async () => {
    SlowFile.read = Promise.withResolvers();
    const file = new SlowFile([LINES], 'slow.csv');
    function Import() {
      const { choose } = useImport(null);
      return (
        <button type="button" onClick={() => void choose([file])}>
          Choose
        </button>
      );
    }
    const { requested } = showPart(<Import />, {});
    await userEvent.click(await screen.findByRole('button', { name: 'Choose' }));
    cleanup();
    PageWorker.terminated = Promise.withResolvers();
    SlowFile.read.resolve();
    await PageWorker.terminated.promise;
    await act(() => Promise.resolve());
    expect(requested).toEqual([]);
  });

  it('is not lost by leaving the page without a question once it was checked, and orders open in a new tab', async () => {
    const { router } = showPart(<Importing wanted={null} />, {
      'POST /purchase-orders/PO-1/line-items/import': Response.json(
        { changes: [{ rowHash: 'a', size: 'S', field: 'vendorReplyQty', from: null, to: 7 }], errors: [] },
        { headers: { etag: '"1"' } },
      ),
    });
    await screen.findByRole('button', { name: 'Choose a file' });
    await userEvent.upload(document.querySelector('input') as HTMLInputElement, new File([LINES], 'lines.csv'));
    const link = await screen.findByRole('link', { name: 'Open the order PO-1 (opens in a new tab)' });
    expect(link.getAttribute('target')).toBe('_blank');
    await screen.findByRole('button', { name: 'Apply' });
    void router.navigate({ to: '/orders' });
    expect(await screen.findByText('Leave before the import is complete?')).toBeTruthy();
    expect(router.state.location.pathname).toBe('/');
  });

  it('cannot be read after a new version of the portal was installed: the page offers to reload', async () => {
    PageWorker.isMissing = true;
    function Import() {
      const { choose, failure } = useImport(null);
      return (
        <>
          <button type="button" onClick={() => void choose([new File([LINES], 'lines.csv')])}>
            Choose
          </button>
          {failure !== null && <Problem error={failure} />}
        </>
      );
    }
    showPart(<Import />, {});
    await userEvent.click(await screen.findByRole('button', { name: 'Choose' }));
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy();
  });
});
