import { Button, CopyButton } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useFormats, useTexts } from '../../language/language.js';
import { MATRIX } from './texts.js';
import { writeTsv } from './tsv.js';
import type { MatrixUse } from './use-matrix.js';
import classes from './matrix.module.css';

/** What was typed and may not be saved any more, to be taken from there. */
export function MatrixNotices({ matrix: { locked, matrix } }: { matrix: MatrixUse }) {
  const texts = useTexts(MATRIX);
  const { quantity } = useFormats();
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
            {copied ? texts.copied : texts.copy}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
