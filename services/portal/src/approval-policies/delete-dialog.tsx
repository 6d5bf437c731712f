import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiProblem } from '@po/client';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApprovalPolicy, POLICY_KEYS, nameOf } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { isOutdated, onVersion } from '../api/writes.js';
import { DescriptionList } from '../components/page.js';
import { ProblemLine } from '../components/loading-and-errors/states.js';
import { Dialog } from '../components/dialogs/dialog.js';
import { useTexts } from '../language/language.js';
import { POLICIES } from './texts.js';
import { useLimits } from './use-limits.js';
import layout from '../theme/layout.module.css';
import dialog from '../theme/dialog.module.css';
import classes from './policies.module.css';

const GONE = 404;

/** Asks for confirmation and deletes the version of the policy that the user saw. */
export function DeleteDialog({ policy, close }: { policy: ApprovalPolicy; close: () => void }) {
  const texts = useTexts(POLICIES);
  const { rowsOf } = useLimits();
  const title = policy.vendorCode ?? texts.defaultTitle;
  const { client } = useApi();
  const cache = useQueryClient();
  /** Version that the user last saw. Confirming again after the notice accepts the newer version. */
  const [looked, setLooked] = useState(policy.version);
  const hasMoved = looked !== policy.version;
  const done = async () => {
    notifications.show({
      icon: <IconCheck size={14} aria-hidden />,
      message: texts.deleted(title),
    });
    close();
    await cache.invalidateQueries({ queryKey: POLICY_KEYS.all });
  };
  const deletion = useMutation({
    mutationFn: (version: number) =>
      client.DELETE('/approval-policies/{name}', {
        params: { path: { name: nameOf(policy) } },
        headers: onVersion(version),
      }),
    onSuccess: done,
    onError: async (error) => {
      if (error instanceof ApiProblem && error.status === GONE) await done();
      else if (isOutdated(error)) await cache.invalidateQueries({ queryKey: POLICY_KEYS.all });
    },
  });
  const confirm = () => {
    setLooked(policy.version);
    deletion.mutate(policy.version);
  };
  return (
    <Dialog
      onClose={() => !deletion.isPending && close()}
      closeLabel={texts.cancel}
      title={texts.of(texts.delete, title)}
    >
      <div className={layout.stack}>
        {hasMoved && (
          <p className={classes.moved} role="alert">
            {texts.deleting.moved}
          </p>
        )}
        <DescriptionList items={rowsOf(policy)} />
        <p className={classes.note}>
          {policy.vendorCode === null ? texts.deleting.ofDefault : texts.deleting.ofVendor}
        </p>
        {deletion.error && !isOutdated(deletion.error) && <ProblemLine error={deletion.error} />}
        <div className={layout.row}>
          <Button className={dialog.danger} loading={deletion.isPending} onClick={confirm}>
            {texts.delete}
          </Button>
          <Button variant="default" data-autofocus disabled={deletion.isPending} onClick={close}>
            {texts.cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
