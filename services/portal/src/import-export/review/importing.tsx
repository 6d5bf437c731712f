import { useEffect, useEffectEvent } from 'react';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '../../language/language.js';
import { useFocusFallback } from '../../components/dialogs/use-return-focus.js';
import { LeaveGuard } from '../../components/dialogs/leave-guard.js';
import { Problem } from '../../components/loading-and-errors/states.js';
import { takeDroppedFiles, DropOverlay, useFileDrop } from '../file-drop.js';
import { IMPORT } from '../import-texts.js';
import { applicablePreview } from '../run/order-import.js';
import { useImport } from '../run/use-import.js';
import { OrderPrompt } from './order-prompt.js';
import { DropZone, HowTo } from './drop-zone.js';
import { Review } from './review.js';
import classes from './import.module.css';

/** All steps of an import, from the file to the result. `wanted`: the only order to import; null imports all orders of the file. */
export function Importing({ wanted }: { wanted: string | null }) {
  const texts = useTexts(IMPORT);
  const use = useImport(wanted);
  const { phase, chosen, refused, failure, choose, checkFile } = use;
  const take = (files: File[]) => void choose(files);
  const isApplying = phase === 'applying';
  const isOver = useFileDrop(take, !isApplying);
  const takeDropped = useEffectEvent(() => {
    const files = takeDroppedFiles();
    if (files) take(files);
  });
  useEffect(() => takeDropped(), []);
  useFocusFallback(`${phase} ${chosen === null}`);
  return (
    <div className={classes.page} data-phase={phase}>
      {refused && (
        <p role="alert" className={classes.refused}>
          <IconAlertTriangle size={16} aria-hidden />
          {texts.faults[refused.fault](refused.name)}
        </p>
      )}
      {failure !== null && <Problem error={failure} />}
      {chosen === null ? (
        <>
          <DropZone wanted={wanted} isOver={isOver} isReading={phase === 'reading'} choose={take} />
          <HowTo />
        </>
      ) : chosen.needsOrder ? (
        <OrderPrompt file={chosen.file} ask={(order) => void checkFile(chosen.file, order)} choose={take} />
      ) : (
        <Review use={use} chosen={chosen} wanted={wanted} />
      )}
      {chosen !== null && isOver && <DropOverlay />}
      <LeaveGuard
        isBusy={isApplying || chosen?.parts.some(applicablePreview) === true}
        question={isApplying ? texts.leave : texts.unapplied}
      />
    </div>
  );
}
