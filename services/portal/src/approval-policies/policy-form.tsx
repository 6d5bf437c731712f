import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { ProblemLine } from '../components/loading-and-errors/states.js';
import { DescriptionList } from '../components/page.js';
import { Switch } from '../components/forms/switch.js';
import { useTexts } from '../language/language.js';
import { AmountRows } from './amount-rows.js';
import { POLICY_FORM } from './form-texts.js';
import { LIMITS } from './limit-texts.js';
import { type Flag, type NumberField, isDays } from './policy-fields.js';
import { PolicyPreview } from './policy-preview.js';
import { type ErrorPlace, MAX, type ReadForm } from './read-form.js';
import { POLICIES } from './texts.js';
import { useLimits } from './use-limits.js';
import type { PolicyEdit } from './use-policy-edit.js';
import layout from '../theme/layout.module.css';
import styles from '../theme/text.module.css';
import classes from './policies.module.css';

/** All values of a policy. `name`: the policy's name, null until it is chosen; `children`: the inputs that choose it. */
export function PolicyForm(props: { edit: PolicyEdit; name: string | null; cancel: () => void; children: ReactNode }) {
  const { edit, name, cancel, children } = props;
  const texts = useTexts(POLICY_FORM);
  const { cancel: cancelText } = useTexts(POLICIES);
  // A missing value is an error only after the first attempt to save.
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { tolerances } = edit.form;
  const errorText = useErrorText(edit.form.errors, isTried);
  const number = (field: NumberField) => <NumberInput field={field} edit={edit} error={errorText(field)} />;
  const { rowsOf } = useLimits();
  const isBlocked = edit.isSaving || !(edit.isChanged || edit.isNew);
  const save = () => {
    if (isBlocked) return;
    setTried(true);
    if (tolerances !== null && name !== null) edit.save(name, tolerances);
    // After the errors for missing values are rendered.
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  return (
    <form
      ref={form}
      noValidate
      className={layout.stack}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {/* The dialog closes after the save, so anything typed during the save would be lost. */}
      <fieldset className={classes.inputs} disabled={edit.isSaving}>
        {children}
        <FlagInput field="enabled" edit={edit} />
        <fieldset className={classes.group}>
          <legend>{texts.days}</legend>
          <div className={classes.pair}>
            {number('maxDaysEarlier')}
            {number('maxDaysLater')}
          </div>
        </fieldset>
        <fieldset className={classes.group}>
          <legend>{texts.percents}</legend>
          <div className={classes.pair}>
            {number('maxQtyIncreasePercent')}
            {number('maxQtyDecreasePercent')}
            {number('maxPriceIncreasePercent')}
            {number('maxPriceDecreasePercent')}
          </div>
        </fieldset>
        <FlagInput field="allowFactoryChange" edit={edit} />
        <AmountRows
          text={edit.valueOf('maxAmount')}
          type={(text) => edit.type('maxAmount', text)}
          errorText={errorText}
        />
        <p className={classes.note}>{texts.sumNote}</p>
      </fieldset>
      <PolicyPreview name={name} tolerances={tolerances} />
      {edit.newer && (
        // By version: a screen reader reads each alert only once.
        <div key={edit.present?.version} role="alert" className={layout.stack}>
          <p className={classes.moved}>{texts.newer[edit.newer]}</p>
          {edit.present && <DescriptionList items={rowsOf(edit.present)} />}
        </div>
      )}
      {edit.error && <ProblemLine error={edit.error} />}
      <div className={layout.row}>
        <Button type="submit" loading={edit.isSaving} disabled={isBlocked}>
          {texts.save}
        </Button>
        <Button variant="default" onClick={cancel} disabled={edit.isSaving}>
          {cancelText}
        </Button>
        {isTried && name === null && (
          <span role="alert" className={classes.wrong}>
            {texts.noVendor}
          </span>
        )}
      </div>
    </form>
  );
}

function FlagInput({ field, edit }: { field: Flag; edit: PolicyEdit }) {
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

function NumberInput({ field, edit, error }: { field: NumberField; edit: PolicyEdit; error: string | null }) {
  const { fields } = useTexts(LIMITS);
  return (
    <TextInput
      label={fields[field]}
      inputMode={isDays(field) ? 'numeric' : 'decimal'}
      autoComplete="off"
      rightSection={!isDays(field) && <span className={styles.quietSmall}>%</span>}
      value={edit.valueOf(field)}
      error={error}
      onChange={({ currentTarget }) => edit.type(field, currentTarget.value)}
    />
  );
}

/** Error text of a field; `isTried`: includes missing values. */
function useErrorText(errors: ReadForm['errors'], isTried: boolean): (place: ErrorPlace) => string | null {
  const texts = useTexts(POLICY_FORM);
  const { maxText } = useLimits();
  return (place) => {
    const error = errors.get(place);
    if (error === undefined || (error === 'missing' && !isTried)) return null;
    if (error !== 'tooLarge') return texts.errors[error];
    const field = Object.hasOwn(MAX, place) ? (place as NumberField) : 'amount';
    return texts.errors.tooLarge(maxText(field, MAX[field]));
  };
}
