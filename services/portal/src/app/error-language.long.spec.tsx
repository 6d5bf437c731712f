/** @jest-environment @happy-dom/jest-environment */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useApi } from '../api/api.js';
import { QueryBoundary } from '../components/loading-and-errors/states.js';
import { type ApiAnswers, showPart } from '../fixtures/portal-part.js';
import { refusal } from '../fixtures/refusal.js';
import { useLanguage } from '../language/language.js';
import { ErrorLanguage } from './error-language.js';

function Counts() {
  const { queries } = useApi();
  const kpis = useQuery(queries.kpis());
  const { setLanguage } = useLanguage();
  return (
    <>
      <ErrorLanguage />
      <button type="button" onClick={() => void kpis.refetch()}>
        Read
      </button>
      <button type="button" onClick={() => setLanguage('zh')}>
        Chinese
      </button>
      <QueryBoundary query={kpis} skeleton={<p>waiting</p>}>
        {() => <input aria-label="typed" />}
      </QueryBoundary>
    </>
  );
}

const KPIS = 'GET /dashboard/kpis';
const failed = (detail: string) => refusal(400, { code: 'BAD_REQUEST', detail });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('a change of the language', () => {
  beforeEach(() => localStorage.clear());

  it('repeats a failed read, because its message is in the earlier language', async () => {
    const answers: ApiAnswers = { [KPIS]: failed('English') };
    showPart(<Counts />, answers);
    await screen.findByText('English');
    answers[KPIS] = failed('中文');
    await press('Chinese');
    expect(await screen.findByText('中文')).toBeTruthy();
  });

  it('keeps typed text beside data whose last read failed', async () => {
    const answers: ApiAnswers = { [KPIS]: {} };
    showPart(<Counts />, answers);
    await userEvent.type(await screen.findByLabelText('typed'), 'mine');
    answers[KPIS] = failed('English');
    await press('Read');
    await screen.findByText('English');
    answers[KPIS] = failed('中文');
    await press('Chinese');
    await screen.findByText('中文');
    expect(screen.getByLabelText<HTMLInputElement>('typed').value).toBe('mine');
  });
});
