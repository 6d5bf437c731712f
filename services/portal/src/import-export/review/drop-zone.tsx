import { Button, type ButtonProps, FileButton, Loader, Skeleton } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTexts } from '../../language/language.js';
import { ACCEPTED } from '../file/accept.js';
import { SHEET } from '../sheet-texts.js';
import { IMPORT } from '../import-texts.js';
import classes from './zone.module.css';

/** Area where a file can be dropped or chosen. `isOver`: a file is being dragged over the page. */
export function DropZone(props: {
  wanted: string | null;
  isOver: boolean;
  isReading: boolean;
  choose: (files: File[]) => void;
}) {
  const { wanted, isOver, isReading, choose } = props;
  const texts = useTexts(IMPORT);
  const { over } = useTexts(SHEET);
  return (
    <div className={classes.zone} data-over={isOver || undefined}>
      <span className={classes.icon} aria-hidden>
        {isReading ? <Loader size={20} /> : <IconFileSpreadsheet size={20} aria-hidden />}
      </span>
      <h2 className={classes.title} role="status">
        {isReading ? texts.drop.reading : isOver ? over : wanted === null ? texts.drop.title : texts.drop.into(wanted)}
      </h2>
      <p className={classes.text}>
        {texts.drop.text}
        <br />
        {texts.drop.safe}
      </p>
      <ChooseFile choose={choose} disabled={isReading} variant="filled">
        {texts.drop.choose}
      </ChooseFile>
    </div>
  );
}

export function ChooseFile({
  choose,
  ...button
}: { choose: (files: File[]) => void } & Pick<ButtonProps, 'disabled' | 'variant' | 'children'>) {
  const reset = useRef<() => void>(null);
  const take = (file: File | null) => {
    if (file) choose([file]);
    // Allows choosing the same file again after it was corrected.
    reset.current?.();
  };
  return (
    <FileButton accept={ACCEPTED} resetRef={reset} onChange={take}>
      {(input) => <Button {...button} {...input} />}
    </FileButton>
  );
}

/** Instructions for first-time users: the steps before and after. */
export function HowTo() {
  const { how } = useTexts(IMPORT);
  return (
    <section aria-label={how.title}>
      <ol className={classes.steps}>
        {[how.export, how.edit, how.check].map(({ title, text }, at) => (
          <li key={title} className={classes.step}>
            <span className={classes.number} aria-hidden>
              {at + 1}
            </span>
            <span>
              <b>{title}</b>
              {text}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function DropSkeleton() {
  return <Skeleton className={classes.skeleton} />;
}
