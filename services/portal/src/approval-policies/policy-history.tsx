import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconArrowRight } from '@tabler/icons-react';
import { policyQueriesOf } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { QueryBoundary } from '../components/loading-and-errors/states.js';
import { RelativeTime } from '../components/relative-time.js';
import { useFormats, useTexts } from '../language/language.js';
import { type Difference, stepsOf } from './policy-steps.js';
import { POLICIES } from './texts.js';
import { LIMITS } from './limit-texts.js';
import { useLimits } from './use-limits.js';
import classes from './policies.module.css';
import styles from '../theme/text.module.css';
import shared from '../theme/differences.module.css';

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

function Differences({ differences }: { differences: readonly Difference[] }) {
  const texts = useTexts(POLICIES);
  const { fields } = useTexts(LIMITS);
  const { valueText } = useLimits();
  return (
    <ul className={shared.differences}>
      {differences.map(({ field, from, to }) => (
        <li key={field}>
          <span className={styles.quiet}>{fields[field]}</span>
          <span className={shared.values}>
            {from !== undefined && (
              <>
                <del>{valueText(field, from)}</del>
                <IconArrowRight size={12} role="img" aria-label={texts.became} />
              </>
            )}
            <ins>{valueText(field, to)}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}
