import { Button, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.js';
import type { OrderDetail } from '../../api/schemas.js';
import { Panel } from '../../components/page.js';
import { PreviousValue } from '../../components/previous-value.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { MATRIX } from './texts.js';
import type { Totals } from './totals.js';
import type { MatrixUse } from './use-matrix.js';
import styles from '../../theme/text.module.css';
import table from '../../theme/table.module.css';
import classes from './totals.module.css';
import type { components } from '@po/client';
import type { Slot, SlotKey } from '../lines/size-matrix.js';

/** Groups shown without a click. */
const MAX_GROUPS = 12;

type By = 'color' | 'style';

/** Totals by style or color: original, as they would be saved, and agreed. Also lists removed cells. */
export function TotalsPanel({ order, matrix }: { order: OrderDetail; matrix: MatrixUse }) {
  const { queries } = useApi();
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  const { quantity } = useFormats();
  const [chosen, setBy] = useState<By>('style');
  const [isWhole, showWhole] = useState(false);
  const { data: diff } = useQuery(queries.diff(order.poRef));
  const { totals } = matrix;
  const hasBoth = totals.ofStyle.size > 1 && totals.ofColor.size > 1;
  const by = hasBoth ? chosen : totals.ofStyle.size > 1 ? 'style' : 'color';
  const groups = [...(by === 'style' ? totals.ofStyle : totals.ofColor)];
  const hidden = isWhole ? 0 : Math.max(0, groups.length - MAX_GROUPS);
  const removed = removedOf(diff?.lines ?? [], matrix.matrix.slots);
  // A single line item is its own total.
  if (matrix.matrix.rows.length === 1 && removed.length === 0) return null;
  return (
    <Panel
      flush
      title={texts.totals}
      aside={
        hasBoth && (
          <SegmentedControl
            size="xs"
            aria-label={texts.totalsBy}
            value={by}
            onChange={(next) => setBy(next as By)}
            data={(['style', 'color'] as const).map((value) => ({ value, label: terms[value] }))}
          />
        )
      }
    >
      <div className={table.frame}>
        <table aria-label={texts.totals} className={`${table.table} ${classes.totals}`}>
          <thead>
            <tr>
              <th scope="col">{terms[by]}</th>
              <th scope="col" className={`${table.number} ${classes.wide}`}>
                {terms.original}
              </th>
              <th scope="col" className={table.number}>
                {terms.quantity}
              </th>
              <th scope="col" className={table.number}>
                {texts.change}
              </th>
              <th scope="col" className={`${table.number} ${classes.wide}`}>
                {terms.agreed}
              </th>
              <th scope="col" className={table.number}>
                {terms.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.slice(0, groups.length - hidden).map(([name, sum]) => (
              <tr key={name}>
                <th scope="row">{name || '–'}</th>
                <Sums sum={sum} agreedAmount={null} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                {terms.total} <span className={classes.currency}>{order.currency}</span>
              </th>
              <Sums sum={totals.order} agreedAmount={diff?.totals.agreedAmount ?? null} />
            </tr>
          </tfoot>
        </table>
      </div>
      {hidden > 0 && (
        <Button fullWidth size="sm" variant="subtle" onClick={() => showWhole(true)}>
          {texts.more(quantity(hidden))}
        </Button>
      )}
      {removed.length > 0 && (
        <div className={classes.removed}>
          <h3 className={classes.removedTitle}>
            <IconTrash size={14} aria-hidden />
            {texts.removed}
          </h3>
          <ul>
            {removed.map(({ rowHash, name, before }) => (
              <li key={rowHash}>
                <del>{name}</del> {texts.removedFrom(quantity(before))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}

function Sums({ sum, agreedAmount }: { sum: Totals; agreedAmount: number | null }) {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  const { quantity, amount } = useFormats();
  const moved = sum.quantity - sum.originalQuantity;
  const Icon = moved > 0 ? IconArrowUp : IconArrowDown;
  return (
    <>
      <td className={`${table.number} ${styles.quiet} ${classes.wide}`}>{quantity(sum.originalQuantity)}</td>
      <td className={table.number}>{quantity(sum.quantity)}</td>
      <td className={table.number}>
        {moved === 0 ? (
          <span className={styles.quiet}>–</span>
        ) : (
          <span className={moved > 0 ? classes.up : classes.down}>
            <Icon size={12} aria-hidden />
            {`${moved > 0 ? '+' : '−'}${quantity(Math.abs(moved))}`}
          </span>
        )}
      </td>
      <td className={`${table.number} ${styles.quiet} ${classes.wide}`}>
        {sum.agreedQuantity === null ? '–' : quantity(sum.agreedQuantity)}
      </td>
      <td className={table.number} title={sum.rough ? texts.rough : undefined}>
        {sum.rough && '≈ '}
        {amount(sum.amount)}
        {sum.amount !== sum.originalAmount && (
          <PreviousValue label={terms.original} value={amount(sum.originalAmount)} className={classes.before} />
        )}
        {agreedAmount !== null && agreedAmount !== sum.amount && (
          <span className={classes.before}>
            {terms.agreed} {amount(agreedAmount)}
          </span>
        )}
      </td>
    </>
  );
}

type DiffLine = components['schemas']['PurchaseOrderDiff']['lines'][number];

/** Cells that the source removed: the API reports them with quantity 0 and without a line. `before`: agreed, else original. */
function removedOf(lines: readonly DiffLine[], slots: ReadonlyMap<SlotKey, Slot>) {
  return lines
    .filter(({ field, rowHash }) => field === 'qty' && !slots.has(`quantity:${rowHash}`))
    .map(({ rowHash, style, color, size, original, agreed }) => ({
      rowHash,
      name: [style, color, size].filter(Boolean).join(' · '),
      before: Number(agreed ?? original),
    }));
}
