import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import '../theme/mantine-dialog.js';
import classes from './leave-guard.module.css';

interface Question {
  title: string;
  text: string;
  stay: string;
  go: string;
}

/** Asks before one leaves what is under way. */
export function LeaveGuard({ isBusy, question }: { isBusy: boolean; question: Question }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isBusy,
    enableBeforeUnload: () => isBusy,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Modal opened onClose={reset} title={question.title} closeButtonProps={{ 'aria-label': question.stay }}>
      <p className={classes.text}>{question.text}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={proceed}>
          {question.go}
        </Button>
        <Button data-autofocus onClick={reset}>
          {question.stay}
        </Button>
      </div>
    </Modal>
  );
}
