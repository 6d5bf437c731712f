import { STATUS } from '@po/contracts';

/** A write of one order: who does it, and what is sent. */
export interface Write {
  by: 'vendor' | 'buyer';
  method: 'PATCH' | 'POST';
  /** Behind the order's own path. */
  path: string;
  body: object;
}

type Step = 'header' | 'lines' | 'SUBMIT' | 'REJECT' | 'APPROVE' | 'RECALL';

/** What happens to an order, again and again: each step brings it where the next one is allowed. */
const ROUND: readonly Step[] = [
  ...(['header', 'lines', 'SUBMIT', 'REJECT'] as const),
  ...(['header', 'lines', 'SUBMIT', 'APPROVE', 'RECALL'] as const),
];

/** Vendors and buyers who negotiate orders without an end. One write of an order is under way at a time. */
export class Negotiations {
  /** How many steps were taken, by the order's index. */
  private readonly taken = new Map<number, number>();
  private readonly busy = new Set<number>();

  /** `rowsOf` tells the hashes of an order's rows. */
  constructor(private readonly rowsOf: (index: number) => readonly string[]) {}

  /** The next write of an order, or null while one is under way. `done` must be told how it was answered. */
  next(index: number): { write: Write; done: (status: number, body: string) => void } | null {
    if (this.busy.has(index)) return null;
    this.busy.add(index);
    const taken = this.taken.get(index) ?? 0;
    const done = (status: number, body: string) => {
      this.busy.delete(index);
      if (status >= 200 && status <= 299) this.taken.set(index, taken + 1);
      // A newer revision came in between, or an earlier answer was lost: go on where the order is.
      else if (status === 409) this.taken.set(index, taken - (taken % ROUND.length) + ROUND.indexOf(stepAfter(body)));
    };
    return { write: this.writeOf(index, taken), done };
  }

  private writeOf(index: number, taken: number): Write {
    const step = ROUND[taken % ROUND.length] ?? 'header';
    switch (step) {
      case 'header':
        return { by: 'vendor', method: 'PATCH', path: '', body: { vendor_reply_comment: `after ${taken} steps` } };
      case 'lines':
        return { by: 'vendor', method: 'PATCH', path: '/line-items', body: { lines: [this.lineOf(index, taken)] } };
      case 'SUBMIT':
        return { by: 'vendor', method: 'POST', path: '/transition', body: { action: step } };
      case 'REJECT':
      case 'APPROVE':
      case 'RECALL':
        return { by: 'buyer', method: 'POST', path: '/transition', body: { action: step, comment: 'as agreed' } };
      default:
        return step satisfies never;
    }
  }

  private lineOf(index: number, taken: number): object {
    const rows = this.rowsOf(index);
    return { rowHash: rows[taken % rows.length], vendorReplyQty: 10 + (taken % 90) };
  }
}

/** The step that is allowed in the status that a refusal names. */
function stepAfter(refusal: string): Step {
  const { currentStatusId } = JSON.parse(refusal) as { currentStatusId?: number };
  if (currentStatusId === STATUS.PENDING_APPROVAL) return 'REJECT';
  return currentStatusId === STATUS.CONFIRMED ? 'RECALL' : 'header';
}
