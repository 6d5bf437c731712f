import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { IconTable, IconX } from '@tabler/icons-react';
import type { MessageRow } from '../../api/schemas.js';
import { useFormats, useTexts } from '../../language/language.js';
import { useCells } from '../edit/cells.js';
import { cellName, quantityKey } from '../lines/size-matrix.js';
import { CONVERSATION } from './texts.js';
import classes from './conversation.module.css';

/** Number of cells that a message is about; a click leads to them. `remove` is set while the message is being written. */
export function CellsChip({ rows, remove }: { rows: readonly MessageRow[]; remove?: () => void }) {
  const texts = useTexts(CONVERSATION);
  const { list, quantity } = useFormats();
  const { matrix, highlight } = useCells();
  if (rows.length === 0) return null;
  const present = rows.map(({ rowHash }) => quantityKey(rowHash)).filter((key) => matrix?.slots.has(key));
  // Until the lines are loaded, no cell counts as removed.
  const removed = matrix ? rows.length - present.length : 0;
  const count = texts.cells(quantity(rows.length), rows.length === 1);
  const text = removed > 0 ? `${count}${texts.comma}${texts.cellsGone(quantity(removed))}` : count;
  const names = list(rows.map((row) => cellName(row, '')));
  return (
    <span className={classes.chip}>
      <Tooltip multiline maw={320} label={names}>
        <UnstyledButton
          className={classes.chipButton}
          aria-label={texts.named(text, names)}
          aria-disabled={present.length === 0}
          onClick={() => highlight(present)}
        >
          <IconTable size={14} aria-hidden />
          {text}
        </UnstyledButton>
      </Tooltip>
      {remove && (
        <ActionIcon size="xs" aria-label={texts.removeCells} onClick={remove}>
          <IconX size={12} aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}
