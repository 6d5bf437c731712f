import { Button } from '@mantine/core';
import { Dialog } from './dialog.js';
import styles from '../../theme/text.module.css';
import dialog from '../../theme/dialog.module.css';

interface Answer {
  label: string;
  choose: () => void;
}

/**
 * A question with two answers. The second answer is the suggested one and has the focus, unless it destroys something (`isDanger`): then
 * the first answer has the focus. `close`: used when the dialog is closed without an answer; it must change nothing.
 */
export function ConfirmDialog(props: {
  title: string;
  text: string;
  answers: readonly [Answer, Answer];
  isDanger?: boolean;
  close: Answer;
}) {
  const { title, text, answers, isDanger = false, close } = props;
  const [first, second] = answers;
  return (
    <Dialog onClose={close.choose} title={title} closeLabel={close.label}>
      <p className={styles.quietMedium}>{text}</p>
      <div className={dialog.buttons}>
        <Button variant="default" data-autofocus={isDanger || undefined} onClick={first.choose}>
          {first.label}
        </Button>
        <Button
          className={isDanger ? dialog.danger : undefined}
          data-autofocus={!isDanger || undefined}
          onClick={second.choose}
        >
          {second.label}
        </Button>
      </div>
    </Dialog>
  );
}
