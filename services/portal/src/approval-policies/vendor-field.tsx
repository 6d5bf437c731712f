import { Autocomplete } from '@mantine/core';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { MAX_VENDOR_CODE } from '@po/contracts/constants';
import { useQuery } from '@tanstack/react-query';
import { DEFAULT_POLICY } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';
import { ProblemLine } from '../components/loading-and-errors/states.js';
import { useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';

const SHOWN = 50;

/** The vendor that the typed text means: a known company by name, in any case, or else a vendor code. */
export function useVendorChoice(typed: string) {
  const { queries } = useApi();
  const filters = useQuery(queries.filters());
  const text = typed.trim();
  const companies = filters.data?.vendors ?? [];
  const company = companies.includes(text) ? text : companies.find((one) => one.toLowerCase() === text.toLowerCase());
  const isCompany = company !== undefined;
  // The filters have no vendor codes, so the codes are read from the company's newest orders. A code without any of these is missed.
  const orders = useQuery({
    ...queries.orders({ vendor: company ?? text, limit: 200 }),
    enabled: isCompany,
    placeholderData: undefined,
  });
  // The API also finds the orders of a vendor whose code is this name.
  const ofCompany = orders.data?.data.filter(({ vendor }) => vendor === company) ?? [];
  // Until the companies are loaded, a company name could be mistaken for a code.
  const typedCodes = filters.isSuccess && canBeCode(text) ? [text] : [];
  const codes = isCompany ? [...new Set(ofCompany.map(({ vendorCode }) => vendorCode))].toSorted() : typedCodes;
  return {
    companies,
    /** The codes that the text can mean; only one can be chosen. */
    codes,
    code: codes.length === 1 ? (codes[0] as string) : null,
    /** The failed read that the code depends on. */
    failed: [filters, orders].find(({ isLoadingError }) => isLoadingError),
    isBad: text !== '' && !isCompany && !canBeCode(text),
  };
}

/** Whether this typed text can be a vendor code. The name of the default policy is reserved, in any case. */
const canBeCode = (code: string): boolean =>
  code !== '' &&
  code.toLowerCase() !== DEFAULT_POLICY &&
  Array.from(code).length <= MAX_VENDOR_CODE &&
  code.isWellFormed();

/** Input for a vendor: a company name, or a code for a vendor that has no orders yet. */
export function VendorField(props: {
  vendor: ReturnType<typeof useVendorChoice>;
  typed: string;
  type: (typed: string) => void;
  isTaken: boolean;
}) {
  const { vendor, typed, type, isTaken } = props;
  const texts = useTexts(POLICY_FORM);
  const unclear = vendor.codes.length > 1 && texts.severalCodes(vendor.codes);
  const error = vendor.isBad ? texts.badCode : isTaken ? texts.taken : unclear;
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
        error={error}
      />
      {vendor.failed && <ProblemLine error={vendor.failed.error} retry={() => void vendor.failed?.refetch()} />}
    </>
  );
}
