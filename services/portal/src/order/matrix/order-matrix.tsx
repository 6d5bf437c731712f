import { IconEqual, IconList, IconLock } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button, CopyButton } from '@mantine/core';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { STATES } from '../../components/loading-and-errors/texts.js';
import { Panel, useNarrow } from '../../components/page.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { Message, QueryBoundary } from '../../components/loading-and-errors/states.js';
import { TableSkeleton } from '../../components/loading-and-errors/skeletons.js';
import { useCells } from '../edit/cells.js';
import type { Saving } from '../edit/use-saving.js';
import { MatrixCards } from './matrix-cards.js';
import { MatrixGrid } from './matrix-grid.js';
import { MatrixStatus } from './matrix-status.js';
import { MatrixTools } from './matrix-tools.js';
import { RemovedCells } from './removed-cells.js';
import { MATRIX } from './texts.js';
import { writeTsv } from './tsv.js';
import { useGrid } from './use-grid.js';
import { type MatrixUse, useMatrix } from './use-matrix.js';
import classes from './matrix.module.css';

const SKELETON = [90, 60, 40, 40, 40, 40, 40, 50, 50, 80];
const MAX_SKELETONS = 12;

/** Original, reply and agreed values by line, editable for users with that right. */
export function OrderMatrix(props: { order: OrderDetail; lines: UseQueryResult<OrderLines>; saving: Saving }) {
  const { order, lines, saving } = props;
  return (
    // One element even with an error, because it is one column of the page.
    <div>
      <QueryBoundary query={lines} skeleton={<MatrixSkeleton lines={order.lineCount} />}>
        {({ data }) => (data.length === 0 ? <NoLines /> : <Matrix order={order} saving={saving} />)}
      </QueryBoundary>
    </div>
  );
}

function Matrix({ order, saving }: { order: OrderDetail; saving: Saving }) {
  const terms = useTexts(TERMS);
  const narrow = useNarrow();
  const { matrix: model } = useCells();
  if (!model) throw new Error('no lines');
  const matrix = useMatrix(order, model, saving);
  const grid = useGrid(matrix);
  return (
    <div className={classes.main}>
      <Panel flush title={terms.lines} aside={<MatrixTools {...{ order, matrix, grid, narrow }} />}>
        <MatrixNotices matrix={matrix} />
        {matrix.rows.length === 0 ? (
          <NothingDiffers matrix={matrix} />
        ) : narrow ? (
          <MatrixCards order={order} matrix={matrix} />
        ) : (
          <MatrixGrid order={order} matrix={matrix} grid={grid} />
        )}
        <MatrixStatus poRef={order.poRef} {...{ matrix, grid, narrow }} />
      </Panel>
      <RemovedCells poRef={order.poRef} slots={model.slots} />
    </div>
  );
}

/** Notice of edits that may no longer be saved, with a button to copy them. */
function MatrixNotices({ matrix: { locked, matrix } }: { matrix: MatrixUse }) {
  const texts = useTexts(MATRIX);
  const { quantity } = useFormats();
  const states = useTexts(STATES);
  if (locked.size === 0) return null;
  const rows = [...locked].map(([key, { typed }]) => {
    const slot = matrix.slots.get(key);
    return [slot?.style ?? '', slot?.color ?? '', slot?.size ?? '', String(typed ?? slot?.original ?? '')];
  });
  return (
    <div role="alert" className={classes.notice}>
      <IconLock size={16} aria-hidden />
      <span>{texts.locked(quantity(locked.size))}</span>
      <CopyButton value={writeTsv(rows)}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" className={classes.noticeAction} onClick={copy}>
            {copied ? states.copied : states.copy}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}

function NoLines() {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  return (
    <Panel title={terms.lines}>
      <Message icon={<IconList size={20} aria-hidden />} title={texts.none.title}>
        {texts.none.text}
      </Message>
    </Panel>
  );
}

function NothingDiffers({ matrix }: { matrix: MatrixUse }) {
  const texts = useTexts(MATRIX);
  return (
    <Message
      icon={<IconEqual size={20} aria-hidden />}
      title={texts.noChanges.title}
      actions={
        <Button variant="default" onClick={() => matrix.showOnlyChanges(false)}>
          {texts.noChanges.all}
        </Button>
      }
    >
      {texts.noChanges.text}
    </Message>
  );
}

/** Placeholder with the expected number of lines, up to a maximum. */
export function MatrixSkeleton({ lines }: { lines: number }) {
  const terms = useTexts(TERMS);
  return (
    <Panel flush title={terms.lines}>
      <TableSkeleton rows={Math.max(1, Math.min(lines, MAX_SKELETONS))} widths={SKELETON} />
    </Panel>
  );
}
