import { Switch } from '../components/switch.js';
import { useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';
import type { Flag } from './policy-fields.js';
import type { PolicyEdit } from './use-policy-edit.js';

/** What a policy allows or not. */
export function FlagInput({ field, edit }: { field: Flag; edit: PolicyEdit }) {
  const { name, note, on, off } = useTexts(POLICY_FORM).flags[field];
  return (
    <Switch
      name={name}
      note={note}
      value={edit.valueOf(field)}
      choose={(value) => edit.type(field, value)}
      choices={[
        { value: 'true', label: on },
        { value: 'false', label: off },
      ]}
    />
  );
}
