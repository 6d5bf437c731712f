import { Button, Modal, TextInput } from '@mantine/core';
import '../../theme/mantine-dialog.js';
import { useState } from 'react';
import { useReturnFocus } from '../../components/use-return-focus.js';
import { useFormats, useTexts } from '../../language/language.js';
import { VIEWS } from './texts.js';
import { MAX_NAME_LENGTH, MAX_VIEWS, nameOf } from './views.js';
import classes from '../dialog.module.css';

/** Asks for a view's name. `present`: its name until now; null for a new one. */
export default function ViewDialog({
  present,
  taken,
  close,
  keep,
}: {
  present: string | null;
  taken: readonly string[];
  close: () => void;
  keep: (name: string) => void;
}) {
  useReturnFocus();
  const texts = useTexts(VIEWS);
  const [text, setText] = useState(present ?? '');
  const formats = useFormats();
  const name = nameOf(text);
  const isTaken = name !== present && taken.includes(name);
  const isFull = present === null && !isTaken && taken.length >= MAX_VIEWS;
  return (
    <Modal
      opened
      onClose={close}
      size={400}
      closeButtonProps={{ 'aria-label': texts.cancel }}
      title={present === null ? texts.saveTitle : texts.renameTitle}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '' && !isFull) keep(name);
        }}
      >
        <TextInput
          className={classes.field}
          data-autofocus
          label={texts.name}
          value={text}
          maxLength={MAX_NAME_LENGTH}
          description={isFull ? texts.full(formats.quantity(MAX_VIEWS)) : isTaken ? texts.replaces : undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
          <Button type="submit" disabled={name === '' || isFull}>
            {present === null ? texts.keep : texts.rename}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
