import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { Dialog } from '../../components/dialogs/dialog.js';
import { dictionary } from '../../language/dictionary.js';
import { useTexts } from '../../language/language.js';
import { useCharacterKeys } from './use-keys.js';
import classes from '../dialog.module.css';

const KEYS_HELP = dictionary({
  title: ['Keyboard', '键盘快捷键'],
  close: ['Close', '关闭'],
  characters: ['Use single-key shortcuts: J, K, X, / and ?', '启用单字符按键：J、K、X、/ 和 ?'],
  actions: {
    move: ['Down, up', '下移、上移'],
    open: ['Open the order', '打开订单'],
    select: ['Select the order', '选择订单'],
    extend: ['Extend the selection down, up', '向下、向上扩展选择'],
    range: ['Select from the last selected order to here', '从上次选择处选到这里'],
    all: ['Select all on this page', '选择本页全部'],
    leave: ['Clear the selection, leave the list', '取消选择、离开列表'],
    search: ['Filter by text', '按文字筛选'],
    anywhere: ['Search everywhere', '全局搜索'],
    help: ['Show this help', '显示此帮助'],
  },
});

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
