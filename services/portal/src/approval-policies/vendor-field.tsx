import { Autocomplete } from '@mantine/core';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';
import type { useVendorChoice } from './use-vendor-choice.js';

const SHOWN = 50;

/** A vendor by the name of its company, or by its code where it has no order yet. */
export function VendorField(props: {
  vendor: ReturnType<typeof useVendorChoice>;
  typed: string;
  type: (typed: string) => void;
  isTaken: boolean;
}) {
  const { vendor, typed, type, isTaken } = props;
  const texts = useTexts(POLICY_FORM);
  return (
    <Autocomplete
      data-autofocus
      required
      withAsterisk={false}
      label={texts.vendor}
      description={vendor.code !== null ? texts.code(vendor.code) : texts.vendorNote}
      data={vendor.companies}
      limit={SHOWN}
      maxDropdownHeight={240}
      value={typed}
      onChange={type}
      error={vendor.isBad ? texts.badCode : isTaken && texts.taken}
    />
  );
}
