import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';

/** What pages say in passing, by `notifications.show`. */
export default function Toasts() {
  return <Notifications position="bottom-right" limit={3} />;
}
