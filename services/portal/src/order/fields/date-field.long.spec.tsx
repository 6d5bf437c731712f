/** @jest-environment @happy-dom/jest-environment */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { showPart } from '../../fixtures/portal-part.js';
import DateField from './date-field.js';

function Part() {
  const [value, setValue] = useState<string | null>('2027-03-01');
  return (
    <DateField
      id="date"
      label="Date"
      description={null}
      error={undefined}
      around="2027-03-01"
      value={value}
      onChange={(next) => {
        taken.push(next);
        setValue(next);
      }}
    />
  );
}

const taken: (string | null)[] = [];

describe('the date field', () => {
  beforeEach(() => {
    taken.length = 0;
  });

  it('commits typed text as a whole, and keeps an invalid date for correction', async () => {
    showPart(<Part />, {}, 'en');
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Date' });
    for (const text of ['2027-02-30', '1/32', '30 Apr 2027']) {
      await userEvent.clear(field);
      await userEvent.type(field, text);
      await userEvent.tab();
    }
    expect(taken).toEqual(['2027-02-30', '1/32', '2027-04-30']);
    expect(field.value).toBe('30 Apr 2027');
    await userEvent.clear(field);
    await userEvent.type(field, '31 Apr 2027');
    await userEvent.tab();
    expect(field.value).toBe('31 Apr 2027');
    expect(screen.getByText('“31 Apr 2027” was not read as a date. Write it like 1 Mar 2027.')).toBeTruthy();
    await userEvent.click(field);
    await userEvent.click(await screen.findByRole('button', { name: '12 March 2027' }));
    expect(field.value).toBe('12 Mar 2027');
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect([field.value, taken.at(-1), document.activeElement]).toEqual(['', null, field]);
  });

  it('commits a typed date when its day is clicked in the calendar', async () => {
    showPart(<Part />, {}, 'en');
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Date' });
    await userEvent.clear(field);
    await userEvent.type(field, '30 Apr 2027');
    await userEvent.click(await screen.findByRole('button', { name: '30 April 2027' }));
    expect([taken, field.value]).toEqual([['2027-04-30'], '30 Apr 2027']);
  });

  it('commits typed text when the page is left', async () => {
    showPart(<Part />, {}, 'en');
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Date' });
    await userEvent.clear(field);
    await userEvent.type(field, '2027-4-1');
    cleanup();
    await Promise.resolve();
    expect(taken).toEqual(['2027-04-01']);
  });

  it.each([
    ['most browsers', { isComposing: true }],
    ['Safari', { keyCode: 229 }],
  ])('does not commit on the Enter that ends the composition of a character in %s', async (_browser, composing) => {
    showPart(<Part />, {}, 'en');
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Date' });
    await userEvent.clear(field);
    await userEvent.type(field, '2027-4-1');
    fireEvent.keyDown(field, { key: 'Enter', ...composing });
    expect(taken).toEqual([]);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(taken).toEqual(['2027-04-01']);
  });

  it.each([
    ['en', '12 Mar 2027', '“12/03/2027” was not read as a date. Write it like 1 Mar 2027.'],
    ['zh', '2027年3月12日', '无法将“12/03/2027”识别为日期。请按此格式填写：2027年3月1日。'],
  ] as const)(
    'says in language %s which text is not a date, until the user types again',
    async (language, after, error) => {
      showPart(<Part />, {}, language);
      const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Date' });
      await userEvent.clear(field);
      await userEvent.type(field, '12/03/2027');
      await userEvent.tab();
      expect(screen.getByText(error)).toBeTruthy();
      expect(field.getAttribute('aria-invalid')).toBe('true');
      await userEvent.clear(field);
      expect(screen.queryByText(error)).toBeNull();
      await userEvent.type(field, '2027-3-12');
      await userEvent.tab();
      expect(field.value).toBe(after);
      expect(field.getAttribute('aria-invalid')).not.toBe('true');
    },
  );
});
