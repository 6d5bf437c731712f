import { Skeleton } from '@mantine/core';
import { TableSkeleton } from '../../components/loading-and-errors/skeletons.js';
import { STATES } from '../../components/loading-and-errors/texts.js';
import { useTexts } from '../../language/language.js';
import { COLUMNS, type ColumnId } from '../columns/columns.js';
import classes from './list.module.css';

export function CardsSkeleton() {
  const { loading } = useTexts(STATES);
  return (
    <div role="status" aria-label={loading} className={classes.cards}>
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <div key={card} className={classes.card}>
          <Skeleton height={12} my={4} width="45%" />
          <Skeleton height={12} my={4} width="30%" />
          <Skeleton height={12} my={4} width="80%" />
        </div>
      ))}
    </div>
  );
}

/** Width of the checkbox column in px. */
const CHECK = 16;

export const OrdersSkeleton = ({ columns }: { columns: readonly ColumnId[] }) => (
  <div className={classes.skeleton}>
    <TableSkeleton rows={20} widths={[CHECK, ...columns.map((id) => COLUMNS[id].width)]} />
  </div>
);
