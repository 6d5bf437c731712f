import { SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useState } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import { VIEWS, type View, changesOf, isIn, summaryOf } from '../run/summary.js';
import type { Chosen, ImportUse } from '../run/use-import.js';
import { FileHead } from './file-head.js';
import { Notices } from './notices.js';
import { PartPanel } from './part-panel.js';
import { ReviewFoot } from './review-foot.js';
import { RunProgress } from './run-progress.js';
import { SummaryStrip } from './summary-strip.js';
import classes from './import.module.css';
import panels from './part.module.css';

/** So many orders are shown with their lines at first. */
const OPEN_AT_FIRST = 5;
/** Orders that are added to the page at a time. */
const ORDERS_AT_ONCE = 100;

/** What a file would change, order by order, before it is applied and while it is. */
export function Review({ use, chosen, wanted }: { use: ImportUse; chosen: Chosen; wanted: string | null }) {
  const texts = useTexts(IMPORT);
  const { quantity } = useFormats();
  const [view, setView] = useState<View>('all');
  const [shown, setShown] = useState(ORDERS_AT_ONCE);
  const { file, parts } = chosen;
  const summary = summaryOf(parts);
  const visible = parts.filter((part) => isIn(view, part));
  const isChecking = use.phase === 'checking';
  const open = new Set(
    parts
      .filter((part) => changesOf(part).length > 0 || isIn('problems', part))
      .slice(0, OPEN_AT_FIRST)
      .map(({ poRef }) => poRef),
  );
  return (
    <>
      <FileHead
        name={file.name}
        rows={file.sheet.rows.length}
        orders={parts.length + chosen.leftOut.length}
        choose={(files) => void use.choose(files)}
        isBusy={use.phase === 'applying'}
      />
      <Notices
        chosen={chosen}
        wanted={wanted}
        isBusy={use.phase !== 'idle'}
        takeAll={() => void use.share(file, null)}
      />
      {parts.length > 0 && <SummaryStrip parts={parts} isChecking={isChecking} />}
      {isChecking ? (
        <RunProgress progress={use.progress} isApplying={false} stop={use.stop} />
      ) : (
        parts.length > 0 && (
          <>
            {parts.length > 1 && (
              <SegmentedControl
                size="xs"
                aria-label={texts.view}
                className={classes.views}
                value={view}
                onChange={(next) => setView(next as View)}
                data={VIEWS.map((one) => ({
                  value: one,
                  label: `${texts.views[one]} ${quantity(parts.filter((part) => isIn(one, part)).length)}`,
                }))}
              />
            )}
            <div className={panels.parts}>
              {visible.length === 0 && view !== 'all' && <p className={classes.none}>{texts.nothingIn[view]}</p>}
              {visible.slice(0, shown).map((part) => (
                <PartPanel
                  key={part.poRef}
                  part={part}
                  isOnly={parts.length === 1}
                  isOpenAtFirst={open.has(part.poRef)}
                />
              ))}
              {visible.length > shown && (
                <button type="button" className={classes.more} onClick={() => setShown(shown + ORDERS_AT_ONCE)}>
                  {texts.more(quantity(Math.min(ORDERS_AT_ONCE, visible.length - shown)))}
                </button>
              )}
            </div>
            <ReviewFoot use={use} parts={parts} summary={summary} />
          </>
        )
      )}
    </>
  );
}
