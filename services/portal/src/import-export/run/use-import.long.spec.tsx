/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { FileFormat } from '../../api/writes.js';
import { showPart } from '../../fixtures/portal-part.js';
import { readSheet } from '../file/read-sheet.js';
import { type Chosen, useImport } from './use-import.js';

/** Reads in the page: there are no workers here. */
class PageWorker extends EventTarget {
  postMessage({ bytes, kind }: { bytes: Uint8Array; kind: FileFormat }): void {
    void readSheet(bytes, kind).then((data) => this.dispatchEvent(new MessageEvent('message', { data })));
  }
  terminate(): void {
    // Nothing is left.
  }
}
Object.assign(globalThis, { Worker: PageWorker });

/** A file that is saved anew once it was read: a browser does not read it again. */
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

/** A file that takes until somebody lets it go. */
class SlowFile extends File {
  static read = Promise.withResolvers<void>();
  override arrayBuffer(): Promise<ArrayBuffer> {
    return SlowFile.read.promise.then(() => super.arrayBuffer());
  }
}

const LINES = 'PO Number,Row ID,Reply Qty\nPO-1,a,7\n';

describe('a file that is imported', () => {
  it('is sent as it was when it was chosen, also where it was saved anew since', async () => {
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

  it('is the one that was chosen last, however long an earlier one takes to be read', async () => {
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

  it('is being read while another one, chosen before it, is still being checked', async () => {
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
    const { asked } = showPart(<Import />, { 'GET /purchase-orders/PO-1/line-items': check.promise });
    await userEvent.click(await screen.findByRole('button', { name: 'idle' }));
    await userEvent.click(await screen.findByRole('button', { name: 'checking' }));
    await act(async () => check.resolve(Response.json({}, { status: 404 })));
    expect(asked).toEqual(['GET /purchase-orders/PO-1/line-items']);
    expect(screen.getByRole('button', { name: 'reading' })).toBeTruthy();
    await act(async () => SlowFile.read.resolve());
  });
});
