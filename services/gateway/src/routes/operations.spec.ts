import { describe, expect, it } from '@jest/globals';
import { PATTERNS, PoRefInAnyCase } from '@po/contracts';
import { proxied } from './operation.js';
import { OPERATIONS, PROXIED } from './operations.js';

describe('the operations', () => {
  it('are known to clients by these names', () => {
    const routes = Object.entries(OPERATIONS).map(([id, { method, path }]) => [id, `${method} ${path}`]);
    expect(Object.fromEntries(routes)).toEqual({
      listPurchaseOrders: 'GET /purchase-orders',
      getPurchaseOrder: 'GET /purchase-orders/:poRef',
      updatePurchaseOrder: 'PATCH /purchase-orders/:poRef',
      listLineItems: 'GET /purchase-orders/:poRef/line-items',
      updateLineItems: 'PATCH /purchase-orders/:poRef/line-items',
      executeTransition: 'POST /purchase-orders/:poRef/transition',
      getDiff: 'GET /purchase-orders/:poRef/diff',
      executeTransitions: 'POST /purchase-orders/transitions',
      getHistory: 'GET /purchase-orders/:poRef/history',
      listMessages: 'GET /purchase-orders/:poRef/messages',
      postMessage: 'POST /purchase-orders/:poRef/messages',
      getMessage: 'GET /purchase-orders/:poRef/messages/:messageId',
      listParticipants: 'GET /purchase-orders/:poRef/participants',
      listNotifications: 'GET /notifications',
      markNotificationRead: 'PUT /notifications/:id/read',
      getPreferences: 'GET /me/preferences',
      replacePreferences: 'PUT /me/preferences',
      listAvailableActions: 'GET /lookups/actions',
      getKpis: 'GET /dashboard/kpis',
      getRecentActivity: 'GET /dashboard/recent-activity',
      getSchedule: 'GET /dashboard/schedule',
      getApprovals: 'GET /dashboard/approvals',
      getFilters: 'GET /po-filters',
      exportPurchaseOrders: 'GET /purchase-order-exports',
      importLineItems: 'POST /purchase-orders/:poRef/line-items/import',
      getCurrentUser: 'GET /me',
      streamNotifications: 'GET /notifications/stream',
      deleteUser: 'DELETE /users/:userId',
      listViews: 'GET /views',
      createView: 'POST /views',
      replaceView: 'PUT /views/:id',
      deleteView: 'DELETE /views/:id',
      listSuppressions: 'GET /mail/suppressions',
      deleteSuppression: 'DELETE /mail/suppressions/:address',
      listApprovalPolicies: 'GET /approval-policies',
      replaceApprovalPolicy: 'PUT /approval-policies/:name',
      deleteApprovalPolicy: 'DELETE /approval-policies/:name',
      getApprovalPolicyHistory: 'GET /approval-policies/:name/history',
      previewApprovalPolicy: 'POST /approval-policies/:name/preview',
    });
  });

  it('order every command by something, and no query', () => {
    const ordered = Object.entries(PROXIED).filter(([, { orderedBy }]) => orderedBy !== null);
    const commands = Object.entries(PROXIED).filter(([, { pattern }]) => pattern.kind === 'command');
    expect(ordered.map(([id]) => id)).toEqual(commands.map(([id]) => id));
  });

  it('are held to their pattern and to their path by the compiler', () => {
    const poRef = { schema: PoRefInAnyCase, refusal: 'PO_NOT_FOUND' } as const;
    const history = { tag: 'Lookups', summary: '', description: '', method: 'GET', pattern: PATTERNS.history } as const;
    // @ts-expect-error the pattern's request needs the reference
    proxied({ ...history, path: '/x', payload: () => ({}) });
    // @ts-expect-error the path's parameter is not declared
    proxied({ ...history, path: '/x/:poRef', payload: ({ params }) => params });
    // @ts-expect-error the path has no such parameter
    proxied({ ...history, path: '/x', params: { poRef }, payload: () => ({ poRef: 'PO-1' }) });
    // @ts-expect-error commands cannot be ordered by what the path does not have
    proxied({ ...history, path: '/x', orderedBy: 'poRef', payload: () => ({ poRef: 'PO-1' }) });
    expect(
      proxied({ ...history, path: '/x/:poRef', params: { poRef }, payload: ({ params }) => params }),
    ).toMatchObject({
      params: { poRef },
      body: null,
      reply: PATTERNS.history.reply,
    });
  });
});
