import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { Dialog } from '../../components/dialogs/dialog.js';
import { dictionary } from '../../language/dictionary.js';
import { useTexts } from '../../language/language.js';
import { useCharacterKeys } from './use-keys.js';
import classes from '../dialog.module.css';

const KEYS_HELP = dictionary(
  {
    title: 'Keyboard',
    close: 'Close',
    characters: 'Use the keys of one character: J, K, X, / and ?',
    actions: {
      move: 'Down, up',
      open: 'Open the order',
      select: 'Select the order',
      extend: 'Extend the selection down, up',
      range: 'Select from the last selected order to here',
      all: 'Select all on this page',
      leave: 'Clear the selection, leave the list',
      search: 'Filter by text',
      anywhere: 'Search everywhere',
      help: 'Show this help',
    },
  },
  {
    title: '键盘快捷键',
    close: '关闭',
    characters: '启用单字符按键：J、K、X、/ 和 ?',
    actions: {
      move: '下移、上移',
      open: '打开订单',
      select: '选择订单',
      extend: '向下、向上扩展选择',
      range: '从上次选择处选到这里',
      all: '选择本页全部',
      leave: '取消选择、离开列表',
      search: '按文字筛选',
      anywhere: '全局搜索',
      help: '显示此帮助',
    },
  },
);

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
  const [characters, changeCharacters] = useCharacterKeys();
  return (
    <Dialog onClose={close} size={400} title={texts.title} closeLabel={texts.close}>
      <dl className={classes.keys}>
        {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((action) => (
          <div key={action}>
            <dt>{texts.actions[action]}</dt>
            <dd>
              {KEYS[action].map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox mt="md" label={texts.characters} checked={characters} onChange={() => changeCharacters((on) => !on)} />
    </Dialog>
  );
}
