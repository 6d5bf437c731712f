import { MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { dictionary } from '../language/dictionary.js';
import { useTexts } from '../language/language.js';
import classes from './toasts.module.css';

const TOASTS = dictionary({
  close: ['Close', '关闭'],
});

/** Toasts that pages show with `notifications.show`. */
export default function Toasts() {
  const { close } = useTexts(TOASTS);
  const defaultProps = { withBorder: true, closeButtonProps: { 'aria-label': close } };
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps } } }}>
      <Notifications position="bottom-right" limit={3} className={classes.toasts} />
    </MantineThemeProvider>
  );
}
