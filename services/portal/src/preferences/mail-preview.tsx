import { useComputedColorScheme } from '@mantine/core';
import { Panel } from '../components/page.js';
import { useLanguage, useTexts } from '../language/language.js';
import { PREFERENCES } from './texts.js';
import classes from './preferences.module.css';

/** Each URL must be a literal: Vite finds the files by these expressions. */
const PICTURES = {
  en: {
    height: 819,
    light: new URL('mail-en-light.png', import.meta.url).href,
    dark: new URL('mail-en-dark.png', import.meta.url).href,
  },
  zh: {
    height: 753,
    light: new URL('mail-zh-light.png', import.meta.url).href,
    dark: new URL('mail-zh-dark.png', import.meta.url).href,
  },
};

/** Picture of a mail in the language and theme of the page; a test creates it from the mail service's own output. */
export function MailPreview() {
  const texts = useTexts(PREFERENCES);
  const { language } = useLanguage();
  // Without the effect: otherwise the picture of the other theme would load first.
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const { height, [theme]: picture } = PICTURES[language];
  return (
    <div className={classes.preview}>
      <Panel title={texts.preview.title}>
        <img loading="lazy" width={360} height={height} src={picture} alt={texts.preview.picture} />
      </Panel>
    </div>
  );
}
