import { Button } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApprovalPolicy, nameOf, policyQueriesOf } from '../api/approval-policies.js';
import { useApi, useRole } from '../api/api.js';
import { Message, QueryBoundary } from '../components/loading-and-errors/states.js';
import { PageHeader } from '../components/page.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import { useTexts } from '../language/language.js';
import { DeleteDialog } from './delete-dialog.js';
import { PolicyCard } from './policy-card.js';
import { PolicyDialog } from './policy-dialog.js';
import { POLICIES } from './texts.js';
import classes from './policies.module.css';

/** The open dialog; `name` is null for a new policy. */
type Open = { what: 'edit'; name: string | null } | { what: 'delete'; name: string } | null;

/** Policies of automatic approval. Administrators can change them, other internal users can read them. */
export function ApprovalPoliciesPage() {
  const texts = useTexts(POLICIES);
  const { client } = useApi();
  const isAdmin = useRole() === 'ADMIN';
  const list = useQuery(policyQueriesOf(client).list());
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const deleted = open?.what === 'delete' && list.data?.find((policy) => nameOf(policy) === open.name);
  // Otherwise the dialog would open again if the policy is created again.
  if (open?.what === 'delete' && list.data && !deleted) setOpen(null);
  const canAdd = isAdmin && list.data !== undefined;
  return (
    <>
      <PageHeader
        title={texts.title}
        actions={canAdd && <Button onClick={() => setOpen({ what: 'edit', name: null })}>{texts.add}</Button>}
      />
      <QueryBoundary query={list} skeleton={<PoliciesSkeleton />}>
        {(policies) => (
          <>
            <p className={classes.intro}>{texts.intro}</p>
            <Policies policies={policies} open={isAdmin ? setOpen : undefined} />
            {open?.what === 'edit' && <PolicyDialog name={open.name} policies={policies} close={close} />}
            {deleted && <DeleteDialog policy={deleted} close={close} />}
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function Policies(props: { policies: readonly ApprovalPolicy[]; open: ((open: Open) => void) | undefined }) {
  const { policies, open } = props;
  const texts = useTexts(POLICIES);
  if (policies.length === 0) {
    return (
      <Message icon={<IconBolt size={20} aria-hidden />} title={texts.none.title}>
        {texts.none.text}
      </Message>
    );
  }
  return (
    <ul className={classes.cards} aria-label={texts.list}>
      {policies.map((policy) => {
        const name = nameOf(policy);
        return (
          <PolicyCard
            key={name}
            policy={policy}
            edit={open && (() => open({ what: 'edit', name }))}
            remove={open && (() => open({ what: 'delete', name }))}
          />
        );
      })}
    </ul>
  );
}

function PoliciesSkeleton() {
  const texts = useTexts(POLICIES);
  return (
    <>
      <p className={classes.intro}>{texts.intro}</p>
      <TextSkeleton lines={8} />
    </>
  );
}
