import { notifications } from '@mantine/notifications';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { type ApprovalPolicy, DEFAULT_POLICY, nameOf } from '../api/approval-policies.js';
import { LeaveGuard } from '../components/dialogs/leave-guard.js';
import { Switch } from '../components/forms/switch.js';
import { Dialog } from '../components/dialogs/dialog.js';
import { useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';
import { PolicyForm } from './policy-form.js';
import { POLICIES } from './texts.js';
import { usePolicyEdit } from './use-policy-edit.js';
import { VendorField, useVendorChoice } from './vendor-field.js';

type Kind = 'vendor' | 'default';

/** Changes the policy with this name, or adds one if `name` is null. */
export function PolicyDialog(props: { name: string | null; policies: readonly ApprovalPolicy[]; close: () => void }) {
  const { name, policies, close } = props;
  const texts = useTexts(POLICIES);
  const { who, kinds } = useTexts(POLICY_FORM);
  const find = (wanted: string | null) => policies.find((policy) => nameOf(policy) === wanted);
  const edit = usePolicyEdit(find(name), (policy) => {
    notifications.show({
      icon: <IconCheck size={14} aria-hidden />,
      message: texts.saved(policy.vendorCode ?? texts.defaultTitle),
    });
    close();
  });
  const [kind, setKind] = useState<Kind>('vendor');
  const [typed, setTyped] = useState('');
  const vendor = useVendorChoice(typed);
  const chosen = name ?? (kind === 'default' ? DEFAULT_POLICY : vendor.code);
  const isTaken = name === null && chosen !== null && find(chosen) !== undefined;
  const isChanged = edit.isChanged || typed !== '';
  return (
    <Dialog
      size={640}
      onClose={() => !edit.isSaving && close()}
      // Escape or a click outside must not discard typed text.
      closeOnEscape={!isChanged}
      closeOnClickOutside={!isChanged}
      closeLabel={texts.cancel}
      title={name === null ? texts.add : texts.of(texts.change, name === DEFAULT_POLICY ? texts.defaultTitle : name)}
    >
      <PolicyForm edit={edit} name={isTaken ? null : chosen} cancel={close}>
        {name === null && (
          <>
            {find(DEFAULT_POLICY) === undefined && (
              <Switch
                name={who}
                value={kind}
                choose={(next) => setKind(next as Kind)}
                choices={(['vendor', 'default'] as const).map((value) => ({ value, label: kinds[value] }))}
              />
            )}
            {kind === 'vendor' && <VendorField vendor={vendor} typed={typed} type={setTyped} isTaken={isTaken} />}
          </>
        )}
      </PolicyForm>
      <LeaveGuard isBusy={isChanged && !edit.isSaving} />
    </Dialog>
  );
}
