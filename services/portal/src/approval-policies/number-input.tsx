import { TextInput } from '@mantine/core';
import { useTexts } from '../language/language.js';
import { LIMITS } from './limit-texts.js';
import { type NumberField, isDays } from './policy-fields.js';
import type { PolicyEdit } from './use-policy-edit.js';
import classes from './policies.module.css';

/** A limit in days or percent. */
export function NumberInput({ field, edit, error }: { field: NumberField; edit: PolicyEdit; error: string | null }) {
  const { fields } = useTexts(LIMITS);
  return (
    <TextInput
      label={fields[field]}
      inputMode={isDays(field) ? 'numeric' : 'decimal'}
      autoComplete="off"
      rightSection={!isDays(field) && <span className={classes.unit}>%</span>}
      value={edit.valueOf(field)}
      error={error}
      onChange={({ currentTarget }) => edit.type(field, currentTarget.value)}
    />
  );
}
