import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { keepMine, takeTheirs } from '../draft/draft.js';
import { isOutdated } from '../draft/use-save.js';
import { useFormats, useTexts } from '../../language/language.js';
import { ProblemLine } from '../../states/problem.js';
import { MATRIX } from './texts.js';
import type { MatrixUse } from './use-matrix.js';
import classes from './matrix.module.css';

/** What keeps what was typed from being saved, and what can be done about it. */
export function MatrixNotices({ matrix }: { matrix: MatrixUse }) {
  const texts = useTexts(MATRIX);
  const { quantity } = useFormats();
  const { conflicts, saving, full, locked, edits, change, discard } = matrix;
  const { slots } = matrix.matrix;
  const gone = [...conflicts.keys()].filter((key) => !slots.has(key)).length;
  const outdated = isOutdated(saving.error);
  return (
    <>
      {conflicts.size > 0 && (
        <Notice
          actions={
            <>
              <Button size="xs" variant="default" onClick={() => change((now) => takeTheirs(now, slots))}>
                {texts.conflict.theirs}
              </Button>
              <Button size="xs" variant="default" onClick={() => change((now) => keepMine(now, slots))}>
                {texts.conflict.mine}
              </Button>
            </>
          }
        >
          {texts.conflict.text(quantity(conflicts.size))}
          {gone > 0 && ` ${texts.conflict.gone(quantity(gone))}`}
        </Notice>
      )}
      {locked > 0 && (
        <Notice
          actions={
            <Button size="xs" variant="default" onClick={discard}>
              {texts.discard}
            </Button>
          }
        >
          {texts.locked(quantity(locked))}
        </Notice>
      )}
      {outdated && edits.size > 0 && conflicts.size === 0 && <Notice>{texts.moved}</Notice>}
      {full && <Notice>{texts.full}</Notice>}
      {saving.error && !outdated && (
        <div className={classes.problem}>
          <ProblemLine error={saving.error} />
        </div>
      )}
    </>
  );
}

function Notice({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div role="alert" className={classes.notice}>
      <IconAlertTriangle size={16} aria-hidden />
      <span>{children}</span>
      {actions !== undefined && <span className={classes.noticeActions}>{actions}</span>}
    </div>
  );
}
