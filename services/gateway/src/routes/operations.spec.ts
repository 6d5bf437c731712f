import { describe, expect, it } from '@jest/globals';
import { PATTERNS, PoRefInAnyCase } from '@po/contracts';
import { proxied } from './operation.js';
import { PROXIED } from './operations.js';

describe('the operations', () => {
  it('order every command by a path parameter or the caller, and no query', () => {
    const ordered = Object.entries(PROXIED).filter(([, { orderedBy }]) => orderedBy !== null);
    const commands = Object.entries(PROXIED).filter(([, { pattern }]) => pattern.kind === 'command');
    expect(ordered.map(([id]) => id)).toEqual(commands.map(([id]) => id));
  });

  it('are checked by the compiler against their pattern and path', () => {
    const poRef = { schema: PoRefInAnyCase, refusal: 'PO_NOT_FOUND' } as const;
    const history = { tag: 'Lookups', summary: '', description: '', method: 'GET', pattern: PATTERNS.history } as const;
    // @ts-expect-error the pattern's request needs a poRef
    proxied({ ...history, path: '/x', payload: () => ({}) });
    // @ts-expect-error the path's parameter is not declared
    proxied({ ...history, path: '/x/:poRef', payload: ({ params }) => params });
    // @ts-expect-error the path has no such parameter
    proxied({ ...history, path: '/x', params: { poRef }, payload: () => ({ poRef: 'PO-1' }) });
    // @ts-expect-error a command cannot be ordered by a parameter that the path does not have
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
