import { STATUS } from '@po/contracts';

interface Write {
  by: 'vendor' | 'buyer';
  method: 'PATCH' | 'POST';
  /** After the order's own path. */
  path: string;
  body: object;
}

/** A write of an order after so many, whose lines have these hashes. */
type Step = (taken: number, rows: readonly string[]) => Write;

const header: Step = (taken) => ({
  by: 'vendor',
  method: 'PATCH',
  path: '',
  body: { vendor_reply_comment: `after ${taken} steps` },
});
const line: Step = (taken, rows) => ({
  by: 'vendor',
  method: 'PATCH',
  path: '/line-items',
  body: { lines: [{ rowHash: rows[taken % rows.length], vendorReplyQty: 10 + (taken % 90) }] },
});
const move =
  (by: Write['by'], action: string): Step =>
  () => ({
    by,
    method: 'POST',
    path: '/transition',
    body: { action, ...(by === 'buyer' ? { comment: 'as agreed' } : {}) },
  });

/** Each step leaves the order in a status in which the next one is allowed. */
const ROUND: readonly Step[] = [
  header,
  line,
  move('vendor', 'SUBMIT'),
  move('buyer', 'REJECT'),
  header,
  line,
  move('vendor', 'SUBMIT'),
  move('buyer', 'APPROVE'),
  move('buyer', 'RECALL'),
];

/** The step that is allowed in the status that a 409 names. */
function stepAfter(refusal: string): number {
  const { currentStatusId } = JSON.parse(refusal) as { currentStatusId?: number };
  if (currentStatusId === STATUS.PENDING_APPROVAL) return 3;
  return currentStatusId === STATUS.CONFIRMED ? ROUND.length - 1 : 0;
}

/** Vendors and buyers negotiate orders in endless rounds, with one write of an order in flight. */
export class Negotiations {
  /** Successful steps by the order's index. */
  private readonly taken = new Map<number, number>();
  private readonly busy = new Set<number>();

  constructor(private readonly rowsOf: (index: number) => readonly string[]) {}

  /** The next write of an order, or null while one is in flight. `done` must be called with the answer. */
  next(index: number): { write: Write; done: (status: number, body: string) => void } | null {
    if (this.busy.has(index)) return null;
    this.busy.add(index);
    const taken = this.taken.get(index) ?? 0;
    const done = (status: number, body: string) => {
      this.busy.delete(index);
      if (status >= 200 && status <= 299) this.taken.set(index, taken + 1);
      // A newer revision was imported, or an earlier answer was lost: the order's status tells the next step.
      else if (status === 409) this.taken.set(index, taken - (taken % ROUND.length) + stepAfter(body));
    };
    return { write: (ROUND[taken % ROUND.length] ?? header)(taken, this.rowsOf(index)), done };
  }
}
