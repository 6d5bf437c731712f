import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OrdersSearch } from '../orders/filters/search.js';
import { shareOf } from './counts.js';
import classes from './bars.module.css';
import { BlockSkeleton } from '../components/loading-and-errors/skeletons.js';

/** A number of orders, with a link to them. */
export interface Bar {
  key: string;
  label: ReactNode;
  number: number;
  /** The number as displayed. */
  value: ReactNode;
  color: string;
  search: OrdersSearch;
}

/** Bar chart of numbers. The bars are hidden from screen readers, because the names and numbers are text. */
export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const largest = Math.max(0, ...bars.map(({ number }) => number));
  return (
    <ul className={classes.bars} aria-label={label}>
      {bars.map(({ key, label: name, number, value, color, search }) => (
        <li key={key}>
          <Link to="/orders" search={search} className={classes.bar} data-bar={key}>
            <span className={classes.name}>{name}</span>
            <span className={classes.value}>{value}</span>
            <span className={classes.track} aria-hidden>
              <span style={{ width: `${shareOf(number, largest)}%`, background: color }} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const BAR_PX = 32;

/** Placeholder for `Bars` with this many bars. */
export const BarsSkeleton = ({ bars }: { bars: number }) => <BlockSkeleton height={bars * BAR_PX} />;
