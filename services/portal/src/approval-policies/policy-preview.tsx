import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Tolerances, policyQueriesOf } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { ProblemLine } from '../components/loading-and-errors/states.js';
import { useFormats, useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';
import classes from './policies.module.css';

/** Pause in typing before the preview is read. */
const QUIET_MS = 600;

/** Effect of the edited policy on past submissions, if all fields are valid. `name`: the policy's name, null until it is chosen. */
export function PolicyPreview({ name, tolerances }: { name: string | null; tolerances: Tolerances | null }) {
  const { preview: texts } = useTexts(POLICY_FORM);
  const { quantity } = useFormats();
  const { client } = useApi();
  // As text, because each reading of the form creates a new object.
  const requestKey = name === null || tolerances === null ? '' : JSON.stringify({ name, tolerances });
  const [quiet] = useDebouncedValue(requestKey, QUIET_MS);
  const whole = (quiet === requestKey && quiet !== '' ? JSON.parse(quiet) : null) as {
    name: string;
    tolerances: Tolerances;
  } | null;
  const { data, error } = useQuery(policyQueriesOf(client).preview(whole?.name ?? '', whole?.tolerances ?? null));
  const text = () => {
    if (requestKey === '') return texts.invalid;
    if (whole === null || data === undefined) return texts.waiting;
    const { submissions, approved, recalled } = data;
    if (submissions === 0) return texts.none;
    return texts.counted(quantity(submissions), quantity(approved), quantity(recalled));
  };
  return (
    <section className={classes.preview} aria-label={texts.title}>
      <b>{texts.title}</b>
      {error && whole !== null ? <ProblemLine error={error} /> : <p role="status">{text()}</p>}
    </section>
  );
}
