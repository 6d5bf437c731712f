import { describe, expect, it } from '@jest/globals';
import { MESSAGE_VISIBILITIES, type MessageRequest, type MessageVisibility, ROLES, type Role } from '@po/contracts';
import { newOrder, outcomeOf } from '../fixtures/orders.js';
import { decideMessage, participantsFor, visibleTo, writableBy } from './conversation.js';

// Visibilities that each role may see and write.
const TABLE: Record<Role, [sees: MessageVisibility[], writes: MessageVisibility[]]> = {
  VENDOR: [['all'], ['all']],
  BUYER: [
    ['all', 'internal'],
    ['all', 'internal'],
  ],
  ADMIN: [
    ['all', 'internal'],
    ['all', 'internal'],
  ],
  VIEWER: [['all', 'internal'], []],
};

const order = newOrder();
const [first, second] = order.lines as [(typeof order.lines)[0], (typeof order.lines)[0]];
const request = (fields: Partial<MessageRequest> = {}): MessageRequest => ({
  body: 'Hello',
  visibility: 'all',
  rows: [],
  mentions: [],
  ...fields,
});
const LI = { userId: 'u-li', name: 'Li Wei' };
const DANA = { userId: 'u-dana', name: null };
const decide = (fields: Partial<MessageRequest>, role: Role = 'BUYER', of: typeof order | null = order) =>
  outcomeOf(() => decideMessage(of, request(fields), { role, mentionable: [LI, DANA] }));
const rowOf = ({ rowHash, code, style, color, size }: typeof first) => ({ rowHash, code, style, color, size });

describe('a message', () => {
  it.each(ROLES)('can be seen and written by %s as in the table', (role) => {
    expect([visibleTo(role), writableBy(role)]).toEqual(TABLE[role]);
  });

  it.each(ROLES.flatMap((role) => MESSAGE_VISIBILITIES.map((visibility) => ({ role, visibility }))))(
    'with visibility $visibility by $role is stored or refused as in the table',
    ({ role, visibility }) => {
      const refused = { code: 'ROLE_NOT_ALLOWED', status: 403 };
      const allowed = TABLE[role][1].includes(visibility);
      expect(decide({ visibility }, role)).toMatchObject(allowed ? { rows: [], mentions: [] } : refused);
    },
  );

  it('for an order that the caller cannot see is refused before the role is checked', () => {
    expect(decide({}, 'VIEWER', null)).toMatchObject({ code: 'PO_NOT_FOUND' });
  });

  it('keeps lines and users with their current names, without duplicates, in the given order', () => {
    const { rowHash } = second;
    const decided = decide({ rows: [rowHash, first.rowHash, rowHash], mentions: ['u-dana', 'u-li', 'u-dana'] });
    expect(decided).toEqual({ order, rows: [rowOf(second), rowOf(first)], mentions: [DANA, LI] });
  });

  it('about a removed or unknown line is refused with a pointer to it', () => {
    const removed = { ...order, lines: order.lines.map((line) => ({ ...line, removed: line === second })) };
    const decided = decide({ rows: [first.rowHash, second.rowHash, 'nothing'] }, 'BUYER', removed);
    expect(decided).toMatchObject({
      code: 'ROW_NOT_FOUND',
      status: 422,
      options: { errors: [{ pointer: '/rows/1' }, { pointer: '/rows/2' }] },
    });
  });

  it('that mentions a user who may not be mentioned is refused with a pointer to the user: 422', () => {
    expect(decide({ mentions: ['u-li', 'u-nobody'] })).toMatchObject({
      code: 'USER_NOT_FOUND',
      status: 422,
      options: { errors: [{ pointer: '/mentions/1' }] },
    });
  });
});

describe('the participants', () => {
  it.each([
    ['VENDOR', 'all', { vendor: 'everybody', internal: 'involved' }],
    ['BUYER', 'all', { vendor: 'involved', internal: 'everybody' }],
    ['BUYER', 'internal', { vendor: 'nobody', internal: 'everybody' }],
    ['ADMIN', 'all', { vendor: 'involved', internal: 'everybody' }],
    ['ADMIN', 'internal', { vendor: 'nobody', internal: 'everybody' }],
    ['VIEWER', 'all', { vendor: 'involved', internal: 'everybody' }],
  ] as const)(
    'whom %s may mention in a message with visibility %s are those of the table',
    (role, visibility, expected) => {
      expect(participantsFor(role, visibility)).toEqual(expected);
    },
  );
});
