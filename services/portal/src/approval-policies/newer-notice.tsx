import { Button } from '@mantine/core';
import { useTexts } from '../language/language.js';
import { Differences } from './differences.js';
import { POLICY_FORM } from './form-texts.js';
import type { PolicyEdit } from './use-policy-edit.js';
import classes from './policies.module.css';

/** What somebody else made of the policy while one typed, and whose values are to stay where they differ. */
export function NewerNotice(props: { newer: NonNullable<PolicyEdit['newer']>; settle: PolicyEdit['settle'] }) {
  const { newer, settle } = props;
  const texts = useTexts(POLICY_FORM).newer;
  const title = newer.isDeleted ? texts.deleted : texts.title;
  return (
    <section className={classes.newer} role="alert" aria-label={title}>
      <b>{title}</b>
      <Differences differences={newer.differences} />
      {newer.isInTheWay ? (
        <div className={classes.foot}>
          <Button size="sm" variant="default" onClick={() => settle(false)}>
            {texts.mine}
          </Button>
          <Button size="sm" variant="default" onClick={() => settle(true)}>
            {texts.theirs}
          </Button>
        </div>
      ) : (
        <span>{texts.kept}</span>
      )}
    </section>
  );
}
