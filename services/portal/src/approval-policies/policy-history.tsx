import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { policyQueriesOf } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { QueryBoundary } from '../components/loading-and-errors/states.js';
import { RelativeTime } from '../components/relative-time.js';
import { useFormats, useTexts } from '../language/language.js';
import { Differences } from './differences.js';
import { stepsOf } from './policy-steps.js';
import { POLICIES } from './texts.js';
import classes from './policies.module.css';

/** All versions of a policy: the user, the time and the changes. */
export function PolicyHistory({ name, title }: { name: string; title: string }) {
  const texts = useTexts(POLICIES);
  const { instant } = useFormats();
  const { client } = useApi();
  const history = useQuery(policyQueriesOf(client).history(name));
  return (
    <QueryBoundary query={history} skeleton={<Skeleton height={48} mt={12} />}>
      {(changes) => (
        <ol className={classes.history} aria-label={texts.of(texts.history, title)}>
          {stepsOf(changes).map(({ version, kind, changedBy, changedAt, differences }) => (
            <li key={version}>
              <p className={classes.step}>
                <b>{texts.steps[kind]}</b> · {texts.version(version)}
              </p>
              <p className={classes.note}>
                {changedBy.name ?? changedBy.userId} · <RelativeTime instant={changedAt} /> · {instant(changedAt)}
              </p>
              <Differences differences={differences} />
            </li>
          ))}
        </ol>
      )}
    </QueryBoundary>
  );
}
