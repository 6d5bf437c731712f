import { SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useState } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import { VIEWS, type View, changesOf, matchesView, rowsLeftOut, rowsUnchanged, summaryOf } from '../run/summary.js';
import type { Chosen, ImportUse } from '../run/use-import.js';
import { FileHeader } from './file-header.js';
import { Notices } from './notices.js';
import { OrderImportPanel } from './order-import-panel.js';
import { ReviewFooter } from './review-footer.js';
import { FIRST_SHOWN, ShowMore } from '../../components/long-table.js';
import { RunProgress } from './run-progress.js';
import classes from './import.module.css';
import panels from './order-import.module.css';
import type { OrderImport } from '../run/order-import.js';

/** Number of orders that are expanded at first. */
const OPEN_AT_FIRST = 5;

/** Changes in a file by order, before and while they are applied. */
export function Review({ use, chosen, wanted }: { use: ImportUse; chosen: Chosen; wanted: string | null }) {
  const texts = useTexts(IMPORT);
  const { quantity } = useFormats();
  const [view, setView] = useState<View>('all');
  const [shown, setShown] = useState(FIRST_SHOWN);
  const { file, parts } = chosen;
  const summary = summaryOf(parts);
  const visible = parts.filter((part) => matchesView(view, part));
  const isChecking = use.phase === 'checking';
  const open = new Set(
    parts
      .filter((part) => changesOf(part).length > 0 || matchesView('problems', part))
      .slice(0, OPEN_AT_FIRST)
      .map(({ poRef }) => poRef),
  );
  return (
    <>
      <FileHeader
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
        takeAll={() => void use.checkFile(file, null)}
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
                  label: `${texts.views[one]} ${quantity(parts.filter((part) => matchesView(one, part)).length)}`,
                }))}
              />
            )}
            <div className={panels.parts}>
              {visible.length === 0 && view !== 'all' && <p className={classes.none}>{texts.nothingIn[view]}</p>}
              {visible.slice(0, shown).map((part) => (
                <OrderImportPanel
                  key={part.poRef}
                  part={part}
                  isOnly={parts.length === 1}
                  isOpenAtFirst={open.has(part.poRef)}
                />
              ))}
              <ShowMore all={visible.length} shown={shown} show={setShown} />
            </div>
            <ReviewFooter use={use} parts={parts} summary={summary} />
          </>
        )
      )}
    </>
  );
}

/** Counts for the file; dashes until they are known. */
function SummaryStrip({ parts, isChecking }: { parts: readonly OrderImport[]; isChecking: boolean }) {
  const { summary: texts } = useTexts(IMPORT);
  const { quantity } = useFormats();
  const { rows, changes, errors } = summaryOf(parts);
  const leftOut = isChecking ? 0 : rowsLeftOut(parts);
  const written = (count: number) => (isChecking ? '–' : quantity(count));
  const facts: readonly (readonly [name: string, value: string, tone: string | null])[] = [
    [texts.rows, quantity(rows), null],
    [texts.changes, written(changes), changes > 0 ? 'changes' : null],
    [texts.same, written(rowsUnchanged(parts)), null],
    [texts.errors, written(errors), errors > 0 ? 'errors' : null],
    ...(leftOut > 0 ? [[texts.leftOut, quantity(leftOut), null] as const] : []),
  ];
  return (
    <dl className={classes.strip} aria-label={texts.title}>
      {facts.map(([name, value, tone]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-tone={tone}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
