import { Button, Modal, Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { useState } from 'react';
import type { Visibility } from '../../api/schemas.js';
import { useReturnFocus } from '../../components/use-return-focus.js';
import { useTexts } from '../../language/language.js';
import '../../theme/mantine-dialog.js';
import { CONVERSATION } from './texts.js';
import classes from './conversation.module.css';

/** Keeps a message from the vendor. `hasText`: what is typed was internal, so its writer is asked before the vendor may see it. */
export function VisibilitySwitch(props: {
  visibility: Visibility;
  hasText: boolean;
  choose: (visibility: Visibility) => void;
}) {
  const { visibility, hasText, choose } = props;
  const texts = useTexts(CONVERSATION);
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Switch
        size="xs"
        withThumbIndicator={false}
        label={texts.switch}
        classNames={{ label: classes.switchLabel }}
        checked={visibility === 'internal'}
        onChange={({ currentTarget: { checked } }) => {
          if (!checked && hasText) setAsks(true);
          else choose(checked ? 'internal' : 'all');
        }}
      />
      {asks && (
        <RevealDialog
          keep={() => setAsks(false)}
          reveal={() => {
            setAsks(false);
            choose('all');
          }}
        />
      )}
    </>
  );
}

function RevealDialog({ keep, reveal }: { keep: () => void; reveal: () => void }) {
  const { reveal: texts } = useTexts(CONVERSATION);
  useReturnFocus();
  return (
    <Modal opened onClose={keep} title={texts.title} closeButtonProps={{ 'aria-label': texts.keep }}>
      <p className={classes.question}>{texts.text}</p>
      <div className={classes.answers}>
        <Button variant="default" onClick={reveal}>
          {texts.go}
        </Button>
        <Button data-autofocus onClick={keep}>
          {texts.keep}
        </Button>
      </div>
    </Modal>
  );
}
