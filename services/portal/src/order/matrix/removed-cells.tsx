import type { components } from '@po/client';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import { Panel } from '../../components/page.js';
import { useFormats, useTexts } from '../../language/language.js';
import type { Slot, SlotKey } from '../lines/size-matrix.js';
import { MATRIX } from './texts.js';
import classes from './removed.module.css';

/** List of the cells that the inventory system removed; nothing if there are none. */
export function RemovedCells({ poRef, slots }: { poRef: string; slots: ReadonlyMap<SlotKey, Slot> }) {
  const { queries } = useApi();
  const texts = useTexts(MATRIX);
  const { quantity } = useFormats();
  const { data: diff } = useQuery(queries.diff(poRef));
  const removed = removedOf(diff?.lines ?? [], slots);
  if (removed.length === 0) return null;
  return (
    <Panel title={texts.removed}>
      <ul className={classes.removed}>
        {removed.map(({ rowHash, name, before }) => (
          <li key={rowHash}>
            <del>{name}</del> {texts.removedFrom(quantity(before))}
          </li>
        ))}
      </ul>
    </Panel>
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
