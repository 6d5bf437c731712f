/** @jest-environment @happy-dom/jest-environment */
import { describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { showPart } from '../fixtures/portal-part.js';
import { type ChangedField, Compare } from '../order/conflict/compare.js';
import { LongTable } from './long-table.js';

const NAMES = Array.from({ length: 120 }, (_, at) => `row ${at + 1}`);

const showMore = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  act(() => button.focus());
  await userEvent.keyboard('{Enter}');
  await screen.findByText('row 120');
};

describe('a long table', () => {
  it('keeps the focus at its end when it shows all rows', async () => {
    const rowOf = (name: string) => (
      <tr key={name}>
        <td>{name}</td>
      </tr>
    );
    showPart(
      <>
        <a href="#order">Open the order</a>
        <LongTable className="" head={<th>Name</th>} rows={NAMES} rowOf={rowOf} />
      </>,
      {},
    );
    const focus = jest.spyOn(HTMLElement.prototype, 'focus');
    await showMore('Show 20 more');
    expect(document.activeElement?.previousSibling?.textContent).toMatch(/row 120$/);
    // Otherwise the page would scroll past the new rows.
    expect(focus.mock.lastCall).toEqual([{ preventScroll: true }]);
  });

  it('of changes by others shows all rows without a risk that keys choose another value', async () => {
    const conflict: ChangedField = { field: 'C', name: 'C', before: 'old', theirs: 'theirs', mine: 'mine' };
    const apart = NAMES.map((name): ChangedField => ({ field: name, name, before: 'old', theirs: 'new' }));
    showPart(<Compare fields={[conflict, ...apart]} settle={() => undefined} close={() => undefined} />, {});
    await showMore('Show 21 more');
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)).toEqual([false, true]);
  });
});
