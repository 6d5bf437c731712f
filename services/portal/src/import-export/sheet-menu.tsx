import { ActionIcon, Loader, Menu, Tooltip } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../language/language.js';
import { KINDS } from './export-menu.js';
import { EXPORT } from './export-texts.js';
import { SHEET } from './sheet-texts.js';
import { useExport } from './use-export.js';

/** Menu that exports the lines of an order and, for users who can reply, imports them. */
export function SheetMenu({ poRef, canImport }: { poRef: string; canImport: boolean }) {
  const texts = useTexts(EXPORT);
  const sheet = useTexts(SHEET);
  const navigate = useNavigate();
  const { received, run, stop } = useExport();
  if (received !== null) {
    return (
      <Tooltip label={texts.cancel}>
        <ActionIcon size="sm" aria-label={`${texts.running} ${texts.cancel}`} onClick={stop}>
          <Loader size={14} />
        </ActionIcon>
      </Tooltip>
    );
  }
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={sheet.sheet}>
          <ActionIcon size="sm" aria-label={sheet.sheet}>
            <IconFileSpreadsheet size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.title}</Menu.Label>
        {KINDS.map((format) => (
          <Menu.Item
            key={format}
            onClick={() => void run({ query: { poRef: [poRef] }, format, level: 'lines', name: poRef })}
          >
            {texts[format]}
          </Menu.Item>
        ))}
        {canImport && (
          <>
            <Menu.Label>{sheet.importTitle}</Menu.Label>
            <Menu.Item onClick={() => void navigate({ to: '/import', search: { order: poRef } })}>
              {sheet.import}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
