import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { PageHeader, Panel } from '../components/page.js';
import { QueryBoundary } from '../components/loading-and-errors/states.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import { useTexts } from '../language/language.js';
import { MailPreview } from './mail-preview.js';
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
