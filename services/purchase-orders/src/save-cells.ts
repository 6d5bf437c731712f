import type { EntityManager } from 'typeorm';
import { CellEntity } from './cell.entity.js';
import { columnsOf } from './columns.js';
import { columnsOfCell } from './order-rows.js';
import type { Cell } from './order.js';

const KEY = ['order_id', 'row_hash'];
const COLUMNS = columnsOf(CellEntity);
const NAMES = COLUMNS.map(({ column }) => column);

const SAVE = `INSERT INTO cells (${NAMES.join(', ')})
  SELECT ${NAMES.join(', ')} FROM json_populate_recordset(NULL::cells, $1)
  ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET ${NAMES.filter((name) => !KEY.includes(name))
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;

/** Writes the cells that differ from what is stored, all in one statement. A cell is never deleted, only marked as removed. */
export async function saveCells(
  manager: EntityManager,
  order: { id: number; vendorCode: string },
  before: readonly Cell[],
  after: readonly Cell[],
): Promise<void> {
  const stored = new Map(before.map((cell) => [cell.rowHash, cell]));
  const changed: CellEntity[] = [];
  for (const cell of after) {
    const known = stored.get(cell.rowHash);
    if (cell === known) continue;
    const columns = columnsOfCell(cell, order);
    if (!known || differ(columns, columnsOfCell(known, order))) changed.push(columns);
  }
  if (changed.length === 0) return;
  const records = changed.map((row) =>
    Object.fromEntries(COLUMNS.map(({ property, column }) => [column, row[property as keyof CellEntity]])),
  );
  await manager.query(SAVE, [JSON.stringify(records)]);
}

function differ(a: CellEntity, b: CellEntity): boolean {
  return COLUMNS.some(({ property }) => a[property as keyof CellEntity] !== b[property as keyof CellEntity]);
}
