import { ActionIcon, Switch, Tooltip } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { IconArrowBackUp, IconArrowForwardUp, IconArrowBarToDown, IconArrowBarToRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { SheetMenu } from '../../import-export/sheet-menu.js';
import { useFormats, useTexts } from '../../language/language.js';
import { MATRIX } from './texts.js';
import type { GridUse } from './use-grid.js';
import type { MatrixUse } from './use-matrix.js';
import classes from './matrix.module.css';

/** Toolbar of the matrix: commands that edit cells are apart from the others. */
export function MatrixTools(props: { order: OrderDetail; matrix: MatrixUse; grid: GridUse; narrow: boolean }) {
  const { order, matrix, grid, narrow } = props;
  const texts = useTexts(MATRIX);
  const { quantity } = useFormats();
  const { draft, editable, onlyChanges } = matrix;
  const { top, bottom, left, right } = grid.range;
  return (
    <div className={classes.tools}>
      <span className={classes.count}>{texts.count(order.lineCount, quantity(matrix.totals.order.quantity))}</span>
      <Switch
        checked={onlyChanges}
        onChange={({ currentTarget }) => matrix.showOnlyChanges(currentTarget.checked)}
        label={texts.onlyChanges}
      />
      <SheetMenu poRef={order.poRef} canImport={editable} />
      {editable && (
        <span className={classes.icons}>
          {!narrow && (
            <>
              <Tool label={texts.fillDown} keys="Ctrl+D" disabled={top === bottom} act={() => grid.fill('down')}>
                <IconArrowBarToDown size={16} aria-hidden />
              </Tool>
              <Tool label={texts.fillRight} keys="Ctrl+R" disabled={left === right} act={() => grid.fill('right')}>
                <IconArrowBarToRight size={16} aria-hidden />
              </Tool>
            </>
          )}
          <Tool label={texts.undo} keys="Ctrl+Z" disabled={draft.done.length === 0} act={grid.undo}>
            <IconArrowBackUp size={16} aria-hidden />
          </Tool>
          <Tool label={texts.redo} keys="Ctrl+Y" disabled={draft.undone.length === 0} act={grid.redo}>
            <IconArrowForwardUp size={16} aria-hidden />
          </Tool>
        </span>
      )}
    </div>
  );
}

function Tool(props: { label: string; keys: string; disabled: boolean; act: () => void; children: ReactNode }) {
  const { label, keys, disabled, act, children } = props;
  return (
    <Tooltip label={`${label} (${keys})`}>
      <ActionIcon size="sm" aria-label={label} disabled={disabled} onClick={act}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
