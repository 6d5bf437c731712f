import { Modal, type ModalProps } from '@mantine/core';
import '../../theme/mantine-dialog.js';
import { useReturnFocus } from './use-return-focus.js';

/** A dialog that is open while it is mounted. `closeLabel`: label of the button in its corner. */
export function Dialog({ closeLabel, ...modal }: Omit<ModalProps, 'opened'> & { closeLabel?: string }) {
  useReturnFocus();
  return <Modal opened closeButtonProps={{ 'aria-label': closeLabel }} {...modal} />;
}
