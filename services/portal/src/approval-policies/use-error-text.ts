import { useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';
import type { NumberField } from './policy-fields.js';
import { type ErrorPlace, MAX, type ReadForm } from './read-form.js';
import { useLimits } from './use-limits.js';

/** What is wrong with a field, in words; `isTried`: what is missing too. */
export function useErrorText(errors: ReadForm['errors'], isTried: boolean): (place: ErrorPlace) => string | null {
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
