import { Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { useState } from 'react';
import type { Visibility } from '../../api/schemas.js';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.js';
import { useTexts } from '../../language/language.js';
import { CONVERSATION } from './texts.js';

/** Hides a message from the vendor. `hasText`: the typed text was internal, so showing it to the vendor needs confirmation. */
export function VisibilitySwitch(props: {
  visibility: Visibility;
  hasText: boolean;
  choose: (visibility: Visibility) => void;
}) {
  const { visibility, hasText, choose } = props;
  const texts = useTexts(CONVERSATION);
  const [asks, setAsks] = useState(false);
  const keep = { label: texts.reveal.keep, choose: () => setAsks(false) };
  const reveal = {
    label: texts.reveal.go,
    choose: () => {
      setAsks(false);
      choose('all');
    },
  };
  return (
    <>
      <Switch
        label={texts.switch}
        checked={visibility === 'internal'}
        onChange={({ currentTarget: { checked } }) => {
          if (!checked && hasText) setAsks(true);
          else choose(checked ? 'internal' : 'all');
        }}
      />
      {asks && (
        <ConfirmDialog title={texts.reveal.title} text={texts.reveal.text} answers={[reveal, keep]} close={keep} />
      )}
    </>
  );
}
