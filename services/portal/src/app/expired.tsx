import { Button } from '@mantine/core';
import { dictionary } from '../language/dictionary.js';
import { useTexts } from '../language/language.js';
import type { Session } from '../session/session.js';
import { Dialog } from '../components/dialogs/dialog.js';
import { APP } from './texts.js';

const EXPIRED = dictionary({
  title: ['Your session has ended', '登录已失效'],
  here: [
    'If you sign in here, only what you typed on the page of an order is kept.',
    '如果在此处登录，只会保留您在订单页面中输入的内容。',
  ],
  elsewhere: [
    'To keep everything, sign in in another tab: this page then continues, if your identity provider allows it.',
    '如需全部保留，请在另一个标签页中登录：若身份提供方允许，此页面会自动继续。',
  ],
});

/** Dialog above the page whose session ended, so that typed text stays visible. */
export default function Expired({ session }: { session: Session }) {
  const { gate } = useTexts(APP);
  const texts = useTexts(EXPIRED);
  return (
    <Dialog
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={texts.title}
    >
      <p style={{ margin: '0 0 8px' }}>{texts.here}</p>
      <p style={{ margin: '0 0 16px' }}>{texts.elsewhere}</p>
      <Button onClick={() => void session.signIn()} data-autofocus>
        {gate.signIn}
      </Button>
    </Dialog>
  );
}
