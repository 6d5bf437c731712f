import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useTexts } from '../../language/language.js';
import classes from './states.module.css';
import { Message } from './message.js';
import { STATES } from './texts.js';

/** Shown in place of data that needs a connection. The data loads as soon as the connection is back. */
export function Offline() {
  const { away } = useTexts(STATES);
  return (
    <Message role="status" icon={<IconWifiOff size={20} aria-hidden />} title={away.title}>
      {away.text}
    </Message>
  );
}

export function OfflineBanner() {
  const texts = useTexts(STATES);
  if (useNetwork().online) return null;
  return (
    <div className={classes.banner} role="status">
      <IconWifiOff size={16} aria-hidden />
      {texts.offline}
    </div>
  );
}
