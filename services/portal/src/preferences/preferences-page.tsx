import { useQuery } from '@tanstack/react-query';
import { useComputedColorScheme } from '@mantine/core';
import { useApi } from '../api/api.js';
import { PageHeader, Panel } from '../components/page.js';
import { QueryBoundary } from '../components/loading-and-errors/states.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import { useLanguage, useTexts } from '../language/language.js';
import { PreferencesForm } from './preferences-form.js';
import { PREFERENCES } from './texts.js';
import classes from './preferences.module.css';

export function PreferencesPage() {
  const texts = useTexts(PREFERENCES);
  const { queries } = useApi();
  const query = useQuery(queries.preferences());
  return (
    <>
      <PageHeader title={texts.title} />
      <QueryBoundary query={query} skeleton={<PreferencesSkeleton />}>
        {(preferences) => (
          <>
            <PreferencesForm preferences={preferences} />
            <MailPreview />
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function PreferencesSkeleton() {
  const texts = useTexts(PREFERENCES);
  return (
    <div className={classes.form}>
      <Panel title={texts.place}>
        <TextSkeleton lines={6} />
      </Panel>
      <Panel title={texts.mail}>
        <TextSkeleton lines={10} />
      </Panel>
    </div>
  );
}

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
function MailPreview() {
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
