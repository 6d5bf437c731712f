import { type ReactNode, useMemo } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { PreviousValue } from '../../components/previous-value.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { MATRIX } from './texts.js';
import { type Totals, sizeTotals, sumOf } from './totals.js';
import type { MatrixUse } from './use-matrix.js';
import { FEW_SIZES, type Widths } from './widths.js';
import classes from './matrix.module.css';

/** Column widths. The frame sets those of the name columns as CSS variables. */
export const columnsOf = ({ size, quantity, price, amount }: Widths, width: number) => (
  <colgroup>
    {/* With few sizes, each would become as wide as a name, so the style column takes the remaining width. */}
    <col style={width > FEW_SIZES ? { width: 'var(--style)' } : undefined} />
    <col style={{ width: 'var(--color)' }} />
    <col span={width} style={width > FEW_SIZES ? undefined : { width: size }} />
    <col style={{ width: quantity }} />
    <col style={{ width: price }} />
    <col style={{ width: amount }} />
  </colgroup>
);

/** Header with the size labels of the topmost visible row. */
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

/** Size labels of another run, between rows. */
export function SizesLine(props: { labels: readonly string[]; width: number; ariaIndex: number }) {
  const { labels, width, ariaIndex } = props;
  return (
    <tr aria-rowindex={ariaIndex} className={classes.labels}>
      <td className={classes.style} />
      <td className={classes.color} />
      {Array.from({ length: width }, (_, column) => (
        <th key={column} scope="col" className={classes.number}>
          {labels[column]}
        </th>
      ))}
      <td colSpan={3} />
    </tr>
  );
}

/** Total of a style, below its rows. */
export function StyleTotal(props: { style: string; run: number; matrix: MatrixUse; ariaIndex: number }) {
  const { style, run, matrix, ariaIndex } = props;
  const texts = useTexts(MATRIX);
  const { edits, totals } = matrix;
  const { rows, width } = matrix.matrix;
  const sizes = useMemo(() => {
    const ofStyle = rows.filter((row) => row.style === style && row.run === run);
    return sizeTotals(ofStyle, width, edits);
  }, [rows, style, run, width, edits]);
  const sum = totals.byStyle.get(`${run}\n${style}`) ?? sumOf([]);
  return (
    <tr aria-rowindex={ariaIndex} className={classes.subtotal}>
      <th scope="row" colSpan={2} className={classes.style}>
        {texts.totalOf(style)}
      </th>
      <Sums sizes={sizes} sum={sum} width={width} />
    </tr>
  );
}

/** Total of the order as it would be saved, including rows that are not shown. */
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

/** Totals by size, of pieces and of money, with the original if it differs. */
function Sums(props: { sizes: readonly (number | null)[]; sum: Totals; width: number; currency?: string }) {
  const { sizes, sum, width, currency } = props;
  const { quantity, amount } = useFormats();
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
        <Sum now={sum.quantity} original={sum.originalQuantity} textOf={quantity} />
      </td>
      <td />
      <td className={classes.sum} title={sum.rough ? texts.rough : undefined}>
        <Sum now={sum.amount} original={sum.originalAmount} textOf={amount}>
          {sum.rough && '≈ '}
          {currency !== undefined && `${currency} `}
        </Sum>
      </td>
    </>
  );
}

/** A total after `children`, and the original if it differs. */
export function Sum(props: { now: number; original: number; textOf: (value: number) => string; children?: ReactNode }) {
  const { now, original, textOf, children } = props;
  const terms = useTexts(TERMS);
  return (
    <>
      <span className={classes.value}>
        {children}
        {textOf(now)}
      </span>
      {now !== original && <PreviousValue label={terms.original} value={textOf(original)} className={classes.before} />}
    </>
  );
}
