import { Button, Modal, TextInput } from '@mantine/core';
import '../theme/mantine-dialog.js';
import { useState } from 'react';
import { useTexts } from '../language/language.js';
import { ORDERS } from './texts.js';
import { nameOf } from './views.js';
import classes from './dialog.module.css';

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
  const { views: texts } = useTexts(ORDERS);
  const [text, setText] = useState(present ?? '');
  const name = nameOf(text);
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
          if (name !== '') keep(name);
        }}
      >
        <TextInput
          className={classes.field}
          data-autofocus
          label={texts.name}
          value={text}
          maxLength={40}
          description={name !== present && taken.includes(name) ? texts.replaces : undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
          <Button type="submit" disabled={name === ''}>
            {present === null ? texts.keep : texts.rename}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
