import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import '../theme/mantine-dialog.js';
import { dictionary } from '../language/dictionary.js';
import { useTexts } from '../language/language.js';
import { useReturnFocus } from './use-return-focus.js';
import classes from './leave-guard.module.css';

const UNSAVED = dictionary(
  { title: 'Leave without saving?', text: 'What you changed here is lost.', stay: 'Stay', go: 'Leave' },
  { title: '不保存就离开？', text: '您在此处的更改将会丢失。', stay: '留下', go: '离开' },
);

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

/** Asks before one leaves what is not saved. */
export const UnsavedGuard = ({ isBusy }: { isBusy: boolean }) => (
  <LeaveGuard isBusy={isBusy} question={useTexts(UNSAVED)} />
);

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
