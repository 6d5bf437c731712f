import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import '../theme/mantine-dialog.js';
import { useReturnFocus } from './use-return-focus.js';
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
  return status === 'blocked' && <LeaveDialog question={question} stay={reset} go={proceed} />;
}

function LeaveDialog({ question, stay, go }: { question: Question; stay: () => void; go: () => void }) {
  useReturnFocus();
  return (
    <Modal opened onClose={stay} title={question.title} closeButtonProps={{ 'aria-label': question.stay }}>
      <p className={classes.text}>{question.text}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={go}>
          {question.go}
        </Button>
        <Button data-autofocus onClick={stay}>
          {question.stay}
        </Button>
      </div>
    </Modal>
  );
}
