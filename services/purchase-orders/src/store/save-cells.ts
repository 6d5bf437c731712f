import { columnsOf } from '@po/database';
import type { EntityManager } from 'typeorm';
import { CellEntity } from './cell.entity.js';
import { columnsOfCell } from './order-rows.js';
import type { Cell } from '../domain/order.js';
import { overwriting } from './row-statements.js';

const COLUMNS = columnsOf(CellEntity);
const NAMES = COLUMNS.map(({ column }) => column).join(', ');

const SAVE = `INSERT INTO cells (${NAMES}) SELECT ${NAMES} FROM json_populate_recordset(NULL::cells, $1)
  ${overwriting(CellEntity, ['orderId', 'rowHash'])}`;

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
