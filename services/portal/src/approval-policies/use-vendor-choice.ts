import { useQuery } from '@tanstack/react-query';
import { DEFAULT_POLICY } from '../api/approval-policies.js';
import { useApi } from '../api/api.js';

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
