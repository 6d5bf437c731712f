import { PATTERNS, ViewRequest, text } from '@po/contracts';
import { proxied } from '../operation.js';

const id = { schema: text(100).min(1).describe('The id of a view.'), refusal: 'VIEW_NOT_FOUND' } as const;
const OWNER = 'Only for the owner, and for administrators if the view is shared among internal roles.';

export const views = {
  listViews: proxied({
    tag: 'Views',
    summary: "The caller's views and those that users of the same side share, by name.",
    description:
      "A side is all internal roles, or the users of one vendor code. At most 1,000 views, always including the caller's own.",
    method: 'GET',
    path: '/views',
    pattern: PATTERNS.views,
    payload: () => ({}),
  }),

  createView: proxied({
    tag: 'Views',
    summary: 'Creates a view of the caller.',
    description:
      'A user has at most 50 views. `query` is checked like the parameters of the list. Replace and delete the view at `Location`.',
    method: 'POST',
    path: '/views',
    body: ViewRequest,
    conditions: 'key',
    refusals: ['TOO_MANY_VIEWS'],
    statuses: [201],
    headers: ['etag'],
    pattern: PATTERNS.createView,
    orderedBy: 'caller',
    payload: ({ body }) => body,
  }),

  replaceView: proxied({
    tag: 'Views',
    summary: 'Replaces a complete view.',
    description: `${OWNER} The owner stays the same.`,
    method: 'PUT',
    path: '/views/:id',
    params: { id },
    body: ViewRequest,
    conditions: 'write',
    pattern: PATTERNS.replaceView,
    orderedBy: 'caller',
    payload: ({ params, body }) => ({ ...params, view: body }),
  }),

  deleteView: proxied({
    tag: 'Views',
    summary: 'Deletes a view.',
    description: `${OWNER} A view that was already deleted is not found.`,
    method: 'DELETE',
    path: '/views/:id',
    params: { id },
    conditions: 'write',
    pattern: PATTERNS.deleteView,
    orderedBy: 'caller',
    payload: ({ params }) => params,
  }),
};
