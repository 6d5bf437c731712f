import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type PortalNote, portalReport, readNotes } from './portal-report.js';

const NOTES: PortalNote[] = [
  { kind: 'told', line: 'orders: layout shift 0.000' },
  { kind: 'axe', language: 'zh-CN', theme: 'dark', serious: 0, critical: 0 },
  { kind: 'axe', language: 'en', theme: 'light', serious: 1, critical: 0 },
  { kind: 'axe', language: 'en', theme: 'light', serious: 0, critical: 2 },
  ...['b'.repeat(100), 'a'.repeat(60), 'c'].map((name): PortalNote => ({ kind: 'screenshot', name })),
];

describe('the report of the portal`s tests', () => {
  it('lists measurements, axe results by language and theme, and screenshots', () => {
    expect(portalReport(NOTES, '/shots').trim().split(/\n */)).toEqual([
      'orders: layout shift 0.000',
      'axe, en light: 2 looks, 1 serious, 2 critical',
      'axe, zh-CN dark: 1 looks, 0 serious, 0 critical',
      '3 screenshots in /shots:',
      'a'.repeat(60),
      `${'b'.repeat(100)} c`,
    ]);
  });

  it('is made from the notes of tests; without notes there is no report', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notes-'));
    await writeFile(join(folder, 'notes'), NOTES.map((note) => `${JSON.stringify(note)}\n`).join(''));
    expect(await readNotes(join(folder, 'notes'))).toEqual(NOTES);
    expect(portalReport(await readNotes(join(folder, 'none')), '/shots')).toBe('');
    await rm(folder, { recursive: true });
  });
});
