/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { useApi } from '../api/api.js';
import { showPart } from '../fixtures/portal-part.js';
import { endChoice, useLanguage } from '../language/language.js';
import { PREFERENCES } from '../preferences/sample-preferences.js';
import { PreferredLanguage } from './preferred-language.js';

const CHOICE = 'po.language:u-1';
const prefers = (locale: 'en' | 'zh', version = 1) => ({
  'GET /me/preferences': Response.json({ ...PREFERENCES, locale }, { headers: { etag: `"${version}"` } }),
});

function Language() {
  const { queries } = useApi();
  const { data } = useQuery({ ...queries.preferences(), enabled: false });
  return (
    <>
      <p>{useLanguage().language}</p>
      {data && <p>version {data.version}</p>}
    </>
  );
}

const show = (answers: Record<string, unknown>) =>
  showPart(
    <>
      <PreferredLanguage />
      <Language />
    </>,
    answers,
  );

describe('the language of the portal', () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is the preferred language, and next time from the first paint', async () => {
    show(prefers('zh'));
    expect(await screen.findByText('zh')).toBeTruthy();
    cleanup();
    show({});
    expect(await screen.findByText('zh')).toBeTruthy();
  });

  it('is the preferred language even if the browser cannot store it', async () => {
    const setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    jest
      .spyOn(globalThis, 'localStorage', 'get')
      .mockReturnValue({ getItem: () => null, setItem } as unknown as Storage);
    show(prefers('zh'));
    expect(await screen.findByText('zh')).toBeTruthy();
  });

  it('is the language of the account if the browser forbids storage', async () => {
    jest.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    });
    show({});
    expect(await screen.findByText('en')).toBeTruthy();
  });

  it('is the language chosen in this session, regardless of the preferences', async () => {
    localStorage.setItem(CHOICE, 'en');
    const { requested } = show(prefers('zh'));
    expect(await screen.findByText('en')).toBeTruthy();
    expect(requested).toEqual([]);
  });

  it('is the language chosen in another tab, as soon as it is chosen', async () => {
    show({});
    await screen.findByText('en');
    act(() => {
      localStorage.setItem(CHOICE, 'zh');
      dispatchEvent(new StorageEvent('storage', { key: CHOICE, newValue: 'zh' }));
    });
    expect(screen.getByText('zh')).toBeTruthy();
  });

  it('is still the language chosen in this session after a sign-in in another tab', async () => {
    localStorage.setItem(CHOICE, 'en');
    show({});
    await screen.findByText('en');
    act(() => {
      endChoice('u-1');
      dispatchEvent(new StorageEvent('storage', { key: CHOICE, newValue: null }));
      localStorage.setItem(`${CHOICE}:preferred`, 'zh');
      dispatchEvent(new StorageEvent('storage', { key: `${CHOICE}:preferred`, newValue: 'zh' }));
    });
    expect(screen.getByText('en')).toBeTruthy();
  });

  it('is the preferred language again in the next session after a choice', async () => {
    localStorage.setItem(CHOICE, 'en');
    endChoice('u-1');
    show(prefers('zh'));
    expect(await screen.findByText('zh')).toBeTruthy();
  });

  it('is still the language chosen earlier if the user has saved no preferences', async () => {
    localStorage.setItem(CHOICE, 'zh');
    endChoice('u-1');
    endChoice('u-1');
    show(prefers('en', 0));
    await screen.findByText('version 0');
    expect(screen.getByText('zh')).toBeTruthy();
  });

  it('ignores the default preferences if the user has chosen nothing', async () => {
    show(prefers('zh', 0));
    await screen.findByText('version 0');
    expect(screen.getByText('en')).toBeTruthy();
  });

  it('is the language of the account if the preferences cannot be read', async () => {
    const { requested } = show({});
    await waitFor(() => expect(requested).toEqual(['GET /me/preferences']));
    expect(screen.getByText('en')).toBeTruthy();
  });
});
