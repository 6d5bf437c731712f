import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useTexts } from '../language/language.js';
import { APP } from './texts.js';

export const THEMES: readonly [MantineColorScheme, typeof IconSun][] = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
];

export function ThemeMenu() {
  const texts = useTexts(APP);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [, Present = IconDeviceDesktop] = THEMES.find(([scheme]) => scheme === colorScheme) ?? [];
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={texts.theme}>
          <Present size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {THEMES.map(([scheme, Icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={14} aria-hidden />}
            rightSection={scheme === colorScheme && <IconCheck size={14} aria-hidden />}
            aria-current={scheme === colorScheme}
            data-autofocus={scheme === colorScheme || undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {texts.themes[scheme]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
