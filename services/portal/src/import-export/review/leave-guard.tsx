import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../../language/language.js';
import '../../theme/mantine-dialog.js';
import { IMPORT } from '../import-texts.js';
import classes from './import.module.css';

/** Asks before one leaves what is under way. */
export function LeaveGuard({ isBusy }: { isBusy: boolean }) {
  const { leave } = useTexts(IMPORT);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isBusy,
    enableBeforeUnload: () => isBusy,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Modal opened onClose={reset} title={leave.title} closeButtonProps={{ 'aria-label': leave.stay }}>
      <p className={classes.dialogText}>{leave.text}</p>
      <div className={classes.dialogButtons}>
        <Button variant="default" onClick={proceed}>
          {leave.go}
        </Button>
        <Button data-autofocus onClick={reset}>
          {leave.stay}
        </Button>
      </div>
    </Modal>
  );
}
