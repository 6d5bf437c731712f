import type { Statement } from '@po/database';
import { SELECT_CELLS, SELECT_ORDER } from '@po/purchase-orders/dist/store/load-order.js';
import type { Databases } from '@po/purchase-orders/dist/store/databases.js';
import type { Subject } from './subjects.js';

const OF_ORDER = '(SELECT id FROM purchase_orders WHERE po_number = $1)';

const ORDER: Statement = { name: 'bench-order', text: `${SELECT_ORDER} WHERE o.po_number = $1` };

const MOVE: Statement = {
  name: 'bench-move',
  text: `UPDATE purchase_orders SET status_id = $2, version = version + 1, sequence = sequence + 1, updated_at = now()
          WHERE po_number = $1`,
};
const RAISE: Statement = {
  name: 'bench-raise',
  text: `UPDATE purchase_orders
            SET version = version + 1, updated_at = now(), has_pending_changes = true, total_qty = total_qty + $2
          WHERE po_number = $1`,
};
const REPLY: Statement = {
  name: 'bench-reply',
  text: `UPDATE cells SET vendor_reply_qty = $3, qty_edited = true WHERE order_id = ${OF_ORDER} AND row_hash = ANY($2)`,
};
const AGREE: Statement = {
  name: 'bench-agree',
  text: `UPDATE cells SET agreed_qty = COALESCE(vendor_reply_qty, original_qty), qty_edited = false,
                agreed_unit_price = COALESCE(vendor_reply_unit_price, original_unit_price), price_edited = false
          WHERE order_id = ${OF_ORDER}`,
};
const AGREEMENT = `(SELECT json_agg(json_build_object('lineId', line_id, 'rowHash', row_hash, 'code', code, 'style', style,
    'color', color, 'size', size, 'qty', agreed_qty, 'unitPrice', agreed_unit_price)) FROM cells WHERE order_id = o.id)`;
const entry = (name: string, agreed: string): Statement => ({
  name,
  text: `INSERT INTO history (id, order_id, po_number, vendor_code, sequence, po_version, action, from_status_id, to_status_id,
                              actor_role, occurred_at, agreed)
         SELECT gen_random_uuid(), o.id, o.po_number, o.vendor_code, o.sequence, o.version, $2, 100, o.status_id,
                'VENDOR', now(), ${agreed} FROM purchase_orders o WHERE o.po_number = $1`,
});
const ENTRY = entry('bench-entry', 'NULL');
const ENTRY_OF_APPROVAL = entry('bench-entry-of-approval', AGREEMENT);

/**
 * The least that PostgreSQL must do for a request for an order. A read is the product's own statements. A write is one committed
 * transaction of the UPDATEs and the history entry; it checks nothing, publishes nothing and saves no answer.
 */
export class Floors {
  constructor(private readonly databases: Databases) {}

  async detail({ poNumber }: Subject): Promise<void> {
    await this.databases.internal.read(null, ORDER, [poNumber]);
  }

  async detailAndCells({ poNumber }: Subject): Promise<void> {
    await this.databases.internal.readAll(null, async (read) => {
      const [order] = await read<{ id: number }>(ORDER, [poNumber]);
      await read(SELECT_CELLS, [order?.id]);
    });
  }

  /** Gives so many cells another quantity; a vendor's reply has no history entry before SUBMIT. */
  reply({ poNumber, rowHashes }: Subject, cells: number, qty: number): Promise<void> {
    return this.write([
      [RAISE, [poNumber, cells]],
      [REPLY, [poNumber, rowHashes.slice(0, cells), qty]],
    ]);
  }

  transition({ poNumber }: Subject, action: string, statusId: number): Promise<void> {
    return this.write([
      [MOVE, [poNumber, statusId]],
      [ENTRY, [poNumber, action]],
    ]);
  }

  approval({ poNumber }: Subject): Promise<void> {
    return this.write([
      [MOVE, [poNumber, 300]],
      [AGREE, [poNumber]],
      [ENTRY_OF_APPROVAL, [poNumber, 'APPROVE']],
    ]);
  }

  private write(statements: readonly [Statement, unknown[]][]): Promise<void> {
    return this.databases.internal.transaction(null, (send) => {
      for (const [statement, values] of statements) void send(statement, values);
      return Promise.resolve();
    });
  }
}
