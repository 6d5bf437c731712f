import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconLanguage } from '@tabler/icons-react';
import { useLanguage, useTexts } from '../language/language.js';
import { LANGUAGES } from '../language/dictionary.js';
import { APP } from './texts.js';

export function LanguageMenu() {
  const texts = useTexts(APP);
  const { language, setLanguage } = useLanguage();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={texts.language}>
          <IconLanguage size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map(([one, name]) => (
          <Menu.Item
            key={one}
            lang={one}
            aria-current={one === language}
            data-autofocus={one === language || undefined}
            rightSection={one === language && <IconCheck size={14} aria-hidden />}
            onClick={() => setLanguage(one)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
