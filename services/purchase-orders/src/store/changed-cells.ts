import { columnsOf } from '@po/database';
import type { Cell } from '../domain/order.js';
import { CellEntity } from './cell.entity.js';
import { columnsOfCell } from './order-rows.js';

const PROPERTIES = columnsOf(CellEntity).map(({ property }) => property as keyof CellEntity);

/** The rows of the cells that differ from what is stored. A cell is never deleted, only marked as removed. */
export function changedCells(
  order: { id: number; vendorCode: string },
  before: readonly Cell[],
  after: readonly Cell[],
): CellEntity[] {
  if (before === after) return [];
  const stored = new Map(before.map((cell) => [cell.rowHash, cell]));
  return after.flatMap((cell) => {
    const known = stored.get(cell.rowHash);
    if (cell === known) return [];
    const row = columnsOfCell(cell, order);
    return known && isSame(row, columnsOfCell(known, order)) ? [] : [row];
  });
}

const isSame = (a: CellEntity, b: CellEntity): boolean => PROPERTIES.every((property) => a[property] === b[property]);
