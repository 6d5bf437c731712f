import { Autocomplete } from '@mantine/core';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { useQuery } from '@tanstack/react-query';
import { DEFAULT_POLICY } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';

const SHOWN = 50;
const MAX_CODE_LENGTH = 50;

/** The vendor that is meant by what was typed: a company that is known, by its name in any case, or else the code itself. */
export function useVendorChoice(typed: string) {
  const { queries } = useApi();
  const filters = useQuery(queries.filters());
  const text = typed.trim();
  const companies = filters.data?.vendors ?? [];
  const company = companies.includes(text) ? text : companies.find((one) => one.toLowerCase() === text.toLowerCase());
  const isCompany = company !== undefined;
  // The filters name no codes: any order of the company does.
  const orders = useQuery({
    ...queries.orders({ vendor: company ?? text, limit: 1 }),
    enabled: isCompany,
    placeholderData: undefined,
  });
  const ofCompany = orders.data?.data[0]?.vendorCode ?? null;
  // Before the companies are known, a name would be taken for a code.
  const code = isCompany ? ofCompany : filters.isSuccess && canBeCode(text) ? text : null;
  return {
    companies,
    code,
    isBad: text !== '' && !isCompany && !canBeCode(text),
  };
}

/** Whether a vendor can have such a code; the word for the default policy is none. */
const canBeCode = (code: string): boolean =>
  code !== '' && code !== DEFAULT_POLICY && Array.from(code).length <= MAX_CODE_LENGTH && code.isWellFormed();

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
