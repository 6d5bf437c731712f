import { Button } from '@mantine/core';
import { Dialog } from './dialog.js';
import styles from '../../theme/text.module.css';
import dialog from '../../theme/dialog.module.css';

interface Answer {
  label: string;
  choose: () => void;
}

/**
 * A question with two answers. The second one is suggested and has the focus; where it destroys something (`isDanger`), the first one has
 * the focus. `close`: what closes it without an answer, or with the one that changes nothing.
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
