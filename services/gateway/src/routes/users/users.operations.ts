import { UserId } from '@po/contracts';
import { custom } from '../operation.js';

export const deleteUser = custom({
  tag: 'Users',
  summary: 'Deletes a user, who gets no more notifications, neither from the API nor on the topics.',
  description: [
    'For administrators; may be repeated. With the same `Idempotency-Key`, a repetition does not delete a user who has returned.',
    "Deletes the user's notifications immediately, including those not published yet, and their",
    'preferences and views. History entries and messages stay, with the name of the user. The user can still sign in unless the identity',
    'provider prevents it: their next authenticated request makes them known again, without anything from before the deletion. A user',
    'without requests for 60 days (this installation may have another number) gets no notifications either, until their next request.',
  ].join('\n'),
  method: 'DELETE',
  path: '/users/:userId',
  params: { userId: { schema: UserId, refusal: 'USER_NOT_FOUND' } },
  conditions: 'key',
  statuses: [204],
  reply: null,
});
