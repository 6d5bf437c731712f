import type { View } from '../../api/schemas.js';

export const sampleView = (changes: Partial<View> = {}): View => ({
  id: 'v-1',
  name: 'Spring',
  query: { vendor: 'ACME' },
  columns: null,
  shared: false,
  ownerId: 'u-1',
  ownerName: 'Dana Reyes',
  mine: true,
  version: 1,
  updatedAt: '2026-06-01T08:00:00.000Z',
  ...changes,
});
