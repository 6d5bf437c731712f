import { TableSkeleton } from '../states/skeletons.js';
import type { ColumnId } from './column-choice.js';
import classes from './list.module.css';

/** As wide as texts of the columns usually are, px. */
const WIDTHS: Record<ColumnId, number> = {
  ...{ poNumber: 110, status: 90, flags: 40, vendor: 140, poDate: 80, originalXfd: 80, xfDate: 80, lineCount: 30 },
  ...{ qty: 60, amount: 100, containerNumber: 90, trackingNumber: 90, updatedAt: 110 },
};
const CHECK = 16;

export const OrdersSkeleton = ({ columns }: { columns: readonly ColumnId[] }) => (
  <div className={classes.skeleton}>
    <TableSkeleton rows={20} widths={[CHECK, ...columns.map((id) => WIDTHS[id])]} />
  </div>
);
