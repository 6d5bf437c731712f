import { Skeleton } from '@mantine/core';
import { Loading, TableSkeleton } from '../../components/loading-and-errors/skeletons.js';
import { COLUMNS, type ColumnId } from '../columns/columns.js';
import classes from './list.module.css';

export const CardsSkeleton = () => (
  <Loading className={classes.cards}>
    <Skeleton height={40} mb={4} width="25%" />
    {[1, 2, 3, 4, 5, 6].map((card) => (
      <div key={card} className={classes.card}>
        <Skeleton height={12} my={4} width="45%" />
        <Skeleton height={12} my={4} width="30%" />
        <Skeleton height={12} my={4} width="80%" />
      </div>
    ))}
  </Loading>
);

/** Width of the checkbox column in px. */
const CHECK = 16;

export const OrdersSkeleton = ({ columns }: { columns: readonly ColumnId[] }) => (
  <div className={classes.skeleton}>
    <TableSkeleton rows={20} widths={[CHECK, ...columns.map((id) => COLUMNS[id].width)]} />
  </div>
);
