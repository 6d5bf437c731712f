import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconMessage } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { usePrinting } from '../../components/use-printing.js';
import { type Step, hasValue, typeOn, valueOf } from '../draft/draft.js';
import { parseInput, parserAfter } from '../draft/parse-input.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { messageRows } from '../conversation/message-cells.js';
import { CONVERSATION } from '../conversation/texts.js';
import { useAskAbout } from '../conversation/use-message-draft.js';
import { CellValue } from './cell-value.js';
import { Sum } from './grid-parts.js';
import { type Row, type Slot, type SlotKey, placeOf } from '../lines/size-matrix.js';
import { useFaultOf } from './matrix-status.js';
import { MATRIX } from './texts.js';
import type { MatrixUse } from './use-matrix.js';
import styles from '../../theme/text.module.css';
import classes from './cards.module.css';

const HEAD_PX = 76;
const FIELD_PX = 76;
const FIELDS_A_ROW = 3;

/** Matrix for phones: a card per line item, with a field per size. */
export function MatrixCards({ order, matrix }: { order: OrderDetail; matrix: MatrixUse }) {
  const terms = useTexts(TERMS);
  const { quantity, amount } = useFormats();
  const list = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset((list.current?.getBoundingClientRect().top ?? 0) + scrollY), []);
  const { rows } = matrix;
  const sum = matrix.totals.order;
  const isPrinting = usePrinting();
  // oxlint-disable-next-line react/incompatible-library -- its result is not passed to memoized components
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => {
      const fields = (rows[index]?.sizes.filter((slot) => slot !== null).length ?? 0) + 1;
      return HEAD_PX + FIELD_PX * Math.ceil(fields / FIELDS_A_ROW);
    },
    getItemKey: (index) => rows[index]?.key ?? index,
    scrollMargin: offset,
    overscan: isPrinting ? rows.length : 4,
    useFlushSync: false,
  });
  /** Field to focus as soon as it is rendered; `why` as in `FocusListener`. */
  const wanted = useRef<{ key: SlotKey; why: 'correct' | 'see' } | null>(null);
  const reach = () => {
    if (wanted.current === null) return;
    const { key, why } = wanted.current;
    const field = list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    const place = placeOf(rows, matrix.matrix.width, key);
    if (!field) {
      if (place) virtual.scrollToIndex(place.row, { align: 'center' });
      return;
    }
    wanted.current = null;
    // Only a correction focuses the input: the on-screen keyboard covers half of the screen.
    ((why === 'correct' ? field.querySelector('input') : null) ?? field).focus();
  };
  const items = virtual.getVirtualItems();
  const onCards = useEffectEvent(reach);
  // A card outside the window is rendered only after scrolling.
  useEffect(() => onCards(), [items]);
  const goTo = useEffectEvent((keys: readonly SlotKey[], why: 'correct' | 'see') => {
    const isShown = keys.every((key) => placeOf(rows, matrix.matrix.width, key));
    if (!isShown) matrix.showOnlyChanges(false);
    const [key] = keys;
    if (key === undefined) return;
    wanted.current = { key, why };
    if (isShown) reach();
  });
  const { onFocusRequest } = matrix;
  useEffect(() => onFocusRequest((keys, why) => goTo(keys, why)), [onFocusRequest]);
  return (
    <>
      <div ref={list} className={classes.cards} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row && (
              <section
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={classes.card}
                aria-label={`${row.style} ${row.color}`}
                style={{ transform: `translateY(${start - offset}px)` }}
              >
                <Card poRef={order.poRef} row={row} matrix={matrix} />
              </section>
            )
          );
        })}
      </div>
      <footer className={classes.total}>
        <span>{terms.total}</span>
        <span>
          <Sum now={sum.quantity} original={sum.originalQuantity} textOf={quantity} />
        </span>
        <span>
          <Sum now={sum.amount} original={sum.originalAmount} textOf={amount}>
            {sum.rough && '≈ '}
            {order.currency}{' '}
          </Sum>
        </span>
      </footer>
    </>
  );
}

function Card({ poRef, row, matrix }: { poRef: string; row: Row; matrix: MatrixUse }) {
  const { askAboutItem } = useTexts(CONVERSATION);
  const ask = useAskAbout(poRef);
  const terms = useTexts(TERMS);
  const { quantity, amount } = useFormats();
  const { runs } = matrix.matrix;
  const { totals } = matrix.stateOf(row);
  return (
    <>
      <header className={classes.head}>
        <span className={classes.name}>
          {row.style} <span className={classes.color}>{row.color}</span>
        </span>
        <span className={classes.sums}>
          {quantity(totals.quantity)} · {totals.rough && '≈ '}
          {amount(totals.amount)}
        </span>
        {ask && (
          <ActionIcon
            size="sm"
            aria-label={askAboutItem(`${row.style} ${row.color}`)}
            onClick={() => ask(messageRows([row], [row.price]))}
          >
            <IconMessage size={16} aria-hidden />
          </ActionIcon>
        )}
      </header>
      <div className={classes.fields}>
        {row.sizes.map((slot, column) => {
          const label = runs[row.run]?.[column] ?? '';
          return slot && <Field key={slot.key} slot={slot} label={label} row={row} matrix={matrix} />;
        })}
        <Field slot={row.price} label={terms.unitPrice} row={row} matrix={matrix} />
      </div>
    </>
  );
}

/** A cell: an input if the user may edit it, else text. */
function Field({ slot, label, row, matrix }: { slot: Slot; label: string; row: Row; matrix: MatrixUse }) {
  const texts = useTexts(MATRIX);
  const faultOf = useFaultOf(matrix);
  const faultId = useId();
  /** Text as typed, until blur. It is ignored once something else changes the value of the cell. */
  const [typing, setTyping] = useState<string | null>(null);
  const own = useRef<Step | null>(null);
  const edit = matrix.edits.get(slot.key);
  const text = typing !== null && hasValue(matrix.edits, slot, parseInput(typing, slot.kind)) ? typing : null;
  const isFinished = text === null || typeof edit?.typed !== 'string';
  // An incomplete number is not an error yet.
  const mark = edit && isFinished ? matrix.markOf(slot, edit) : null;
  const kept = typeof edit?.typed === 'string' ? edit.typed : String(valueOf(slot, matrix.edits));
  const typeInto = (next: string, parse: typeof parseInput) => {
    setTyping(next);
    matrix.change((now) => {
      const typed = typeOn(now, [slot, parse(next, slot.kind)], own.current);
      own.current = typed.own;
      return typed.draft;
    });
  };
  const editable = matrix.mayEdit(slot);
  const isNew = !edit && matrix.changedByOthers.has(slot.key);
  return (
    <div
      className={classes.field}
      data-key={slot.key}
      tabIndex={-1}
      data-new={isNew ? '' : undefined}
      data-highlighted={matrix.highlighted.has(slot.key) ? '' : undefined}
      data-unsaved={edit ? '' : undefined}
      data-mark={mark ?? undefined}
    >
      <span className={styles.note}>{label}</span>
      {editable && (
        <input
          className={classes.input}
          data-held
          aria-label={`${row.style} ${row.color} ${label}`}
          aria-invalid={mark === 'wrong' || undefined}
          aria-describedby={mark === 'wrong' ? faultId : undefined}
          inputMode={slot.kind === 'price' ? 'decimal' : 'numeric'}
          autoComplete="off"
          value={text ?? kept}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget, nativeEvent }) =>
            typeInto(currentTarget.value, parserAfter(nativeEvent as InputEvent))
          }
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          onBlur={() => {
            setTyping(null);
            own.current = null;
          }}
        />
      )}
      {mark === 'wrong' && (
        <span id={faultId} className={classes.fault}>
          <IconAlertTriangle size={12} aria-hidden />
          {faultOf(slot)}
        </span>
      )}
      <span className={editable ? classes.difference : classes.reading}>
        <CellValue slot={slot} edit={edit} wrong={mark === 'wrong'} />
      </span>
      {edit && <VisuallyHidden>{texts.notSaved}</VisuallyHidden>}
      {isNew && <VisuallyHidden>{texts.newly}</VisuallyHidden>}
    </div>
  );
}
