import { TableSkeleton } from '../../components/skeletons.js';
import { COLUMNS, type ColumnId } from '../columns/columns.js';
import classes from './list.module.css';

/** Pixels of the column of checkboxes. */
const CHECK = 16;

export const OrdersSkeleton = ({ columns }: { columns: readonly ColumnId[] }) => (
  <div className={classes.skeleton}>
    <TableSkeleton rows={20} widths={[CHECK, ...columns.map((id) => COLUMNS[id].width)]} />
  </div>
);
