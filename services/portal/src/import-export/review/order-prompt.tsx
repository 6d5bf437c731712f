import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../language/language.js';
import { canonical } from '../file/sheet.js';
import { IMPORT } from '../import-texts.js';
import { isPoNumber } from '../run/order-import.js';
import type { ChosenFile } from '../run/order-imports.js';
import { FileHeader } from './file-header.js';
import classes from './zone.module.css';

export function OrderPrompt(props: {
  file: ChosenFile;
  ask: (poRef: string) => void;
  choose: (files: File[]) => void;
}) {
  const { file, ask, choose } = props;
  const texts = useTexts(IMPORT);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <FileHeader name={file.name} rows={file.sheet.rows.length} orders={null} choose={choose} isBusy={false} />
      <form
        className={classes.ask}
        onSubmit={(event) => {
          event.preventDefault();
          const poRef = canonical(typed);
          if (isPoNumber(poRef)) ask(poRef);
          else setWrong(true);
        }}
      >
        <h2 className={classes.title}>{texts.ask.title}</h2>
        <p className={classes.text}>{texts.ask.text}</p>
        <TextInput
          ref={field}
          className={classes.field}
          label={texts.ask.label}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={isWrong && texts.ask.invalid}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setWrong(false);
          }}
        />
        <Button type="submit">{texts.ask.check}</Button>
      </form>
    </>
  );
}
