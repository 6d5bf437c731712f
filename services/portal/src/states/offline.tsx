import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useTexts } from '../language/language.js';
import classes from './states.module.css';
import { STATES } from './texts.js';

/** Above every page while the browser has no connection. */
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
