import { ActionIcon, Tooltip } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { useTexts } from '../../language/language.js';
import { AsyncBoundary } from '../../components/loading-and-errors/states.js';
import { ORDERS } from '../texts.js';
import { useKeys } from './use-keys.js';
import classes from '../orders.module.css';

const KeysDialog = lazy(() => import('./keys-dialog.js'));

/** Opens the help for keyboard shortcuts, by click or key. */
export function KeysHelp() {
  const { keys } = useTexts(ORDERS);
  const [isOpen, setOpen] = useState(false);
  useKeys((command) => {
    if (command === 'help') setOpen(true);
    return command === 'help';
  });
  return (
    <>
      <Tooltip label={keys}>
        <ActionIcon size="sm" className={classes.keys} aria-label={keys} onClick={() => setOpen(true)}>
          <IconKeyboard size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <AsyncBoundary>{isOpen && <KeysDialog close={() => setOpen(false)} />}</AsyncBoundary>
    </>
  );
}
