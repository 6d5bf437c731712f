import { readFile } from 'node:fs/promises';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import type { Api } from '../support/api-client.js';
import { linesOf } from '../e2e/world.js';

const SHEET = 'xl/worksheets/sheet1.xml';

/** The file that a click downloads. */
export async function downloadFile(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** The workbook with its first sheet changed by `change`. */
export function changedWorkbook(bytes: Buffer, change: (xml: string) => string): Buffer {
  const parts = unzipSync(bytes);
  const sheet = parts[SHEET];
  if (!sheet) throw new Error(`the workbook has no ${SHEET}`);
  return Buffer.from(zipSync({ ...parts, [SHEET]: strToU8(change(strFromU8(sheet))) }));
}

/** An archive of 160 kB whose only part unpacks to more than the portal accepts. */
export const bomb = (): Buffer =>
  Buffer.from(zipSync({ '_rels/.rels': new Uint8Array(160 * 1024 * 1024) }, { level: 1 }));

export const choose = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });

/** Drags a file over the page and drops it. */
export async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([file = '', content = '']) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}

/** The section of an order in the result of a check. */
export const partOf = (page: Page, poRef: string) => page.locator(`[data-part="${poRef}"]`);

/** Replied quantities of the first line item for its three sizes. */
export async function repliesOf(api: Api, poRef: string): Promise<(number | null | undefined)[]> {
  const [item] = await linesOf(api, poRef);
  return ['S', 'M', 'L'].map((size) => item?.sizes[size]?.vendorReplyQty);
}
