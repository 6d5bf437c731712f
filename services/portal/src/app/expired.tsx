import { Button, Modal } from '@mantine/core';
import { useTexts } from '../language/language.js';
import type { Session } from '../session/session.js';
import '../theme/mantine-dialog.js';
import { APP } from './texts.js';

/** Above the page whose session ended: what somebody typed stays in sight. */
export default function Expired({ session }: { session: Session }) {
  const { gate } = useTexts(APP);
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={gate.expired.title}
    >
      <p style={{ margin: '0 0 16px' }}>{gate.expired.text}</p>
      <Button onClick={() => void session.signIn()} data-autofocus>
        {gate.signIn}
      </Button>
    </Modal>
  );
}
