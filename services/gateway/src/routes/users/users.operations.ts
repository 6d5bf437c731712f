import { UserId } from '@po/contracts';
import { custom } from '../operation.js';

export const deleteUser = custom({
  tag: 'Users',
  summary: 'Deletes a user: they get no more notifications, here and on the topics.',
  description: [
    'For administrators. Their notifications are deleted at once, those that wait to be published among them, and so are their',
    'preferences and views; may be repeated. What they did stays in the history, with their name. This does not',
    'lock anybody out, the identity provider does: with their next request that is authenticated they are here again, with nothing from',
    'before the deletion. A user who makes no request for a while, 60 days unless this installation has another number, gets no',
    'notifications either, until the next one.',
  ].join('\n'),
  method: 'DELETE',
  path: '/users/:userId',
  params: { userId: { schema: UserId, refusal: 'USER_NOT_FOUND' } },
  statuses: [204],
  reply: null,
});
