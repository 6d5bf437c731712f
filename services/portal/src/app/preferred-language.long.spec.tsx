/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { showPart } from '../fixtures/portal-part.js';
import { useLanguage } from '../language/language.js';
import { PREFERENCES } from '../preferences/sample-preferences.js';
import { PreferredLanguage } from './preferred-language.js';

const CHOICE = 'po.language:u-1';
const prefers = (locale: 'en' | 'zh') => ({
  'GET /me/preferences': Response.json({ ...PREFERENCES, locale }, { headers: { etag: '"1"' } }),
});
const Language = () => <p>{useLanguage().language}</p>;
const show = (answers: Record<string, unknown>) =>
  showPart(
    <>
      <PreferredLanguage />
      <Language />
    </>,
    answers,
  );

describe('the language at sign-in', () => {
  beforeEach(() => localStorage.clear());
  afterEach(cleanup);

  it('is the preferred one, and from the first paint the next time', async () => {
    show(prefers('zh'));
    expect(await screen.findByText('zh')).toBeTruthy();
    cleanup();
    show({});
    expect(await screen.findByText('zh')).toBeTruthy();
  });

  it('is the one that was chosen in this browser, whatever is preferred', async () => {
    localStorage.setItem(CHOICE, 'en');
    const { asked } = show(prefers('zh'));
    expect(await screen.findByText('en')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('is the account`s where the preferences cannot be read', async () => {
    const { asked } = show({});
    await waitFor(() => expect(asked).toEqual(['GET /me/preferences']));
    expect(screen.getByText('en')).toBeTruthy();
  });
});
