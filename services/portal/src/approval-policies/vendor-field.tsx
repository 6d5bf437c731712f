import { Autocomplete } from '@mantine/core';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { useQuery } from '@tanstack/react-query';
import { DEFAULT_POLICY } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { ProblemLine } from '../components/loading-and-errors/problem.js';
import { useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';

const SHOWN = 50;
const MAX_CODE_LENGTH = 50;

/** The vendor that the typed text means: a known company by name, in any case, or else a vendor code. */
export function useVendorChoice(typed: string) {
  const { queries } = useApi();
  const filters = useQuery(queries.filters());
  const text = typed.trim();
  const companies = filters.data?.vendors ?? [];
  const company = companies.includes(text) ? text : companies.find((one) => one.toLowerCase() === text.toLowerCase());
  const isCompany = company !== undefined;
  // The filters have no vendor codes, so the code is read from any order of the company.
  const orders = useQuery({
    ...queries.orders({ vendor: company ?? text, limit: 1 }),
    enabled: isCompany,
    placeholderData: undefined,
  });
  const ofCompany = orders.data?.data[0]?.vendorCode ?? null;
  // Until the companies are loaded, a company name could be mistaken for a code.
  const code = isCompany ? ofCompany : filters.isSuccess && canBeCode(text) ? text : null;
  return {
    companies,
    code,
    /** The failed read that the code depends on. */
    failed: [filters, orders].find(({ isLoadingError }) => isLoadingError),
    isBad: text !== '' && !isCompany && !canBeCode(text),
  };
}

/** Whether this can be a vendor code. The name of the default policy is reserved. */
const canBeCode = (code: string): boolean =>
  code !== '' && code !== DEFAULT_POLICY && Array.from(code).length <= MAX_CODE_LENGTH && code.isWellFormed();

/** Input for a vendor: a company name, or a code for a vendor that has no orders yet. */
export function VendorField(props: {
  vendor: ReturnType<typeof useVendorChoice>;
  typed: string;
  type: (typed: string) => void;
  isTaken: boolean;
}) {
  const { vendor, typed, type, isTaken } = props;
  const texts = useTexts(POLICY_FORM);
  return (
    <>
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
      {vendor.failed && <ProblemLine error={vendor.failed.error} retry={() => void vendor.failed?.refetch()} />}
    </>
  );
}
