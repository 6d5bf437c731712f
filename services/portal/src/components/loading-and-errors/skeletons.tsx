import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../language/language.js';
import { STATES } from './texts.js';
import table from '../../theme/table.module.css';
import classes from './states.module.css';

/** Frame of a skeleton: tells screen readers that content is loading. */
export function Loading({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const { loading } = useTexts(STATES);
  return (
    <div className={className} role="status" aria-label={loading} aria-busy>
      {children}
    </div>
  );
}

const ROW_HEIGHT = 20;

/** Placeholder with the size of the real table. `widths`: of the texts in each column, in px. */
export const TableSkeleton = ({ rows, widths }: { rows: number; widths: readonly number[] }) => (
  <Loading className={table.frame}>
    <table className={table.table} aria-hidden>
      <thead>
        <tr>
          {widths.map((width, column) => (
            // oxlint-disable-next-line react/no-array-index-key -- columns have no other key, and never move
            <th key={column}>
              <Skeleton height={8} my={6} width={width / 2} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: rows }, (_, row) => (
          <tr key={row}>
            {widths.map((width, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- as above
              <td key={column}>
                <div style={{ height: ROW_HEIGHT, display: 'flex', alignItems: 'center' }}>
                  <Skeleton height={10} width={width} />
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Loading>
);

export const TextSkeleton = ({ lines }: { lines: number }) => (
  <Loading>
    {Array.from({ length: lines }, (_, line) => (
      <Skeleton key={line} height={10} my={5} width={`${90 - ((line * 17) % 40)}%`} />
    ))}
  </Loading>
);

/** Placeholder for a chart. */
export const BlockSkeleton = ({ height }: { height: number | string }) => (
  <Loading className={classes.block}>
    <Skeleton height={height} />
  </Loading>
);
