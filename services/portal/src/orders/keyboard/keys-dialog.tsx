import { Dialog } from '../../components/dialogs/dialog.js';
import { useTexts } from '../../language/language.js';
import { KEYS_HELP } from './texts.js';
import classes from '../dialog.module.css';

const KEYS = {
  move: ['J', 'K'],
  open: ['Enter'],
  select: ['X'],
  extend: ['Shift', 'J', 'K'],
  range: ['Shift', 'X'],
  all: ['Ctrl', 'A'],
  leave: ['Esc'],
  search: ['/'],
  anywhere: ['Ctrl', 'K'],
  help: ['?'],
} as const;

export default function KeysDialog({ close }: { close: () => void }) {
  const texts = useTexts(KEYS_HELP);
  return (
    <Dialog onClose={close} size={400} title={texts.title} closeLabel={texts.close}>
      <dl className={classes.keys}>
        {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((act) => (
          <div key={act}>
            <dt>{texts.acts[act]}</dt>
            <dd>
              {KEYS[act].map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
