import { useComputedColorScheme } from '@mantine/core';
import { Panel } from '../components/page.js';
import { useLanguage, useTexts } from '../language/language.js';
import { PREFERENCES } from './texts.js';
import classes from './preferences.module.css';

/** Vite finds these files by each whole expression: no name may be put together. */
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

/** A picture of a mail in the language and the theme of the page; a test makes it of the mail service's own. */
export function MailPreview() {
  const texts = useTexts(PREFERENCES);
  const { language } = useLanguage();
  // Read at once: the picture of the other theme would be loaded before this one.
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
