import { useBlocker } from '@tanstack/react-router';
import { dictionary } from '../../language/dictionary.js';
import { useTexts } from '../../language/language.js';
import { ConfirmDialog } from './confirm-dialog.js';

const LEAVE = dictionary({
  title: ['Leave without saving?', '不保存就离开？'],
  text: ['What you changed here is lost.', '您在此处的更改将会丢失。'],
  stay: ['Stay', '留在此页'],
  go: ['Leave', '离开'],
});

/** Asks for confirmation before the user leaves the page while `isBusy`. */
export function LeaveGuard({ isBusy, question }: { isBusy: boolean; question?: { title: string; text: string } }) {
  const texts = useTexts(LEAVE);
  const { title, text } = question ?? texts;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isBusy,
    enableBeforeUnload: () => isBusy,
    withResolver: true,
  });
  if (status !== 'blocked') return false;
  const stay = { label: texts.stay, choose: reset };
  const go = { label: texts.go, choose: proceed };
  return <ConfirmDialog title={title} text={text} answers={[go, stay]} close={stay} />;
}
