/** @jest-environment @happy-dom/jest-environment */
import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { showPart } from '../../fixtures/portal-part.js';
import { Flags } from './flags.js';

it('the flag of an order shows its name when it is touched', async () => {
  showPart(<Flags order={{ isOverdue: false, hasPendingChanges: false, hasSourceConflict: true }} />, {});
  const flag = await screen.findByRole('img', { name: 'Source conflict' });
  await userEvent.pointer([{ keys: '[TouchA]', target: flag }]);
  expect(await screen.findByRole('tooltip', { name: 'Source conflict' })).toBeTruthy();
});
