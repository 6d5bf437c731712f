import { useMantineColorScheme } from '@mantine/core';
import { IconLanguage, IconLogout } from '@tabler/icons-react';
import { useLanguage, useTexts } from '../language/language.js';
import { LANGUAGES } from '../language/dictionary.js';
import { useSignOut } from './sign-out.js';
import { APP } from './texts.js';
import { THEMES } from './theme-menu.js';

/** Global actions, without those that would change nothing. */
export function useSearchActions() {
  const texts = useTexts(APP);
  const { language, setLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return [
    ...LANGUAGES.filter(([one]) => one !== language).map(([one, name]) => ({
      label: texts.choice(texts.language, name),
      Icon: IconLanguage,
      run: () => setLanguage(one),
    })),
    ...THEMES.filter(([scheme]) => scheme !== colorScheme).map(([scheme, Icon]) => ({
      label: texts.choice(texts.theme, texts.themes[scheme]),
      Icon,
      run: () => setColorScheme(scheme),
    })),
    { label: texts.signOut, Icon: IconLogout, run: signOut },
  ];
}
