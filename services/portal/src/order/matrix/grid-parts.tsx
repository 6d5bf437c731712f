import { useMemo } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { Replaced } from '../../components/replaced.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import type { Line } from './layout.js';
import { MATRIX } from './texts.js';
import { type Totals, sizeTotals, sumOf } from './totals.js';
import type { MatrixUse } from './use-matrix.js';
import { FEW_SIZES, type Widths } from './widths.js';
import classes from './matrix.module.css';

/** The names are as wide as the frame says, by what is left for them. */
export const columnsOf = ({ size, quantity, price, amount }: Widths, width: number) => (
  <colgroup>
    {/* Of few sizes each would be as wide as a name: the names take what is left. */}
    <col style={width > FEW_SIZES ? { width: 'var(--style)' } : undefined} />
    <col style={{ width: 'var(--color)' }} />
    <col span={width} style={width > FEW_SIZES ? undefined : { width: size }} />
    <col style={{ width: quantity }} />
    <col style={{ width: price }} />
    <col style={{ width: amount }} />
  </colgroup>
);

/** Labels of the sizes that are seen on top. */
export function GridHeader({ labels, width }: { labels: readonly string[]; width: number }) {
  const terms = useTexts(TERMS);
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className={classes.style}>
          {terms.style}
        </th>
        <th scope="col" className={classes.color}>
          {terms.color}
        </th>
        {Array.from({ length: width }, (_, column) => (
          <th key={column} scope="col" className={classes.number}>
            {labels[column]}
          </th>
        ))}
        <th scope="col" className={classes.number}>
          {terms.quantity}
        </th>
        <th scope="col" className={classes.number}>
          {terms.unitPrice}
        </th>
        <th scope="col" className={classes.number}>
          {terms.amount}
        </th>
      </tr>
    </thead>
  );
}

/** What stands between rows: labels of other sizes, or what a style comes to. */
export function GridLine(props: { line: Exclude<Line, { kind: 'row' }>; matrix: MatrixUse; ariaIndex: number }) {
  const { line, matrix, ariaIndex } = props;
  const texts = useTexts(MATRIX);
  const { edits, totals } = matrix;
  const { rows, runs, width } = matrix.matrix;
  const isTotal = line.kind === 'total';
  const sizes = useMemo(
    () =>
      isTotal
        ? sizeTotals(
            rows.filter(({ style, run }) => style === line.style && run === line.run),
            width,
            edits,
          )
        : null,
    [isTotal, rows, line, width, edits],
  );
  if (line.kind === 'sizes') {
    return (
      <tr aria-rowindex={ariaIndex} className={classes.labels}>
        <td className={classes.style} />
        <td className={classes.color} />
        {Array.from({ length: width }, (_, column) => (
          <th key={column} scope="col" className={classes.number}>
            {runs[line.run]?.[column]}
          </th>
        ))}
        <td colSpan={3} />
      </tr>
    );
  }
  const sum = totals.byStyle.get(`${line.run}\n${line.style}`);
  return (
    <tr aria-rowindex={ariaIndex} className={classes.subtotal}>
      <th scope="row" colSpan={2} className={classes.style}>
        {texts.totalOf(line.style)}
      </th>
      <Sums sizes={sizes ?? []} sum={sum ?? sumOf([])} width={width} />
    </tr>
  );
}

/** What the order comes to, as it would be saved; rows that are not shown count too. */
export function GridFooter({ order, matrix, ariaIndex }: { order: OrderDetail; matrix: MatrixUse; ariaIndex: number }) {
  const terms = useTexts(TERMS);
  const { runs, width, rows } = matrix.matrix;
  const sizes = useMemo(
    () => (runs.length === 1 ? sizeTotals(rows, width, matrix.edits) : []),
    [runs, rows, width, matrix.edits],
  );
  return (
    <tfoot>
      <tr aria-rowindex={ariaIndex}>
        <th scope="row" colSpan={2} className={classes.style}>
          {terms.total}
        </th>
        <Sums sizes={sizes} sum={matrix.totals.order} width={width} currency={order.currency} />
      </tr>
    </tfoot>
  );
}

/** Sums by size, of pieces and of money, each with the original where it is another one. */
function Sums(props: { sizes: readonly (number | null)[]; sum: Totals; width: number; currency?: string }) {
  const { sizes, sum, width, currency } = props;
  const { quantity, amount } = useFormats();
  const terms = useTexts(TERMS);
  const texts = useTexts(MATRIX);
  return (
    <>
      {Array.from({ length: width }, (_, column) => {
        const size = sizes[column] ?? null;
        return (
          <td key={column} className={classes.sum}>
            {size !== null && quantity(size)}
          </td>
        );
      })}
      <td className={classes.sum}>
        <span className={classes.value}>{quantity(sum.quantity)}</span>
        {sum.quantity !== sum.originalQuantity && (
          <Replaced called={terms.original} value={quantity(sum.originalQuantity)} className={classes.before} />
        )}
      </td>
      <td />
      <td className={classes.sum} title={sum.rough ? texts.rough : undefined}>
        <span className={classes.value}>
          {sum.rough && '≈ '}
          {currency !== undefined && `${currency} `}
          {amount(sum.amount)}
        </span>
        {sum.amount !== sum.originalAmount && (
          <Replaced called={terms.original} value={amount(sum.originalAmount)} className={classes.before} />
        )}
      </td>
    </>
  );
}
