import { ConfirmDialog } from '../components/dialogs/confirm-dialog.js';
import { dictionary } from '../language/dictionary.js';
import { useTexts } from '../language/language.js';

const TEXTS = dictionary({
  title: ['Sign out', '退出登录'],
  text: (orders: number) => [
    `${orders === 1 ? '1 order has' : `${orders} orders have`} unsaved changes. This browser keeps them for 30 days, for you alone. ` +
      'Discard them if others use this computer.',
    `${orders} 个订单有未保存的更改。此浏览器会将其保留 30 天，仅供您本人使用。如果他人也使用此电脑，请放弃这些更改。`,
  ],
  keep: ['Keep and sign out', '保留并退出'],
  discard: ['Discard and sign out', '放弃并退出'],
  close: ['Close', '关闭'],
});

/** Asks whether to keep or discard drafts at sign-out. */
export default function SignOutDialog(props: {
  orders: number;
  leave: (isDiscarding: boolean) => void;
  close: () => void;
}) {
  const { orders, leave, close } = props;
  const texts = useTexts(TEXTS);
  const discard = { label: texts.discard, choose: () => leave(true) };
  const keep = { label: texts.keep, choose: () => leave(false) };
  return (
    <ConfirmDialog
      title={texts.title}
      text={texts.text(orders)}
      answers={[discard, keep]}
      close={{ label: texts.close, choose: close }}
    />
  );
}
