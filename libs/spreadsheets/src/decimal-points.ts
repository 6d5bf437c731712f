const COMMAS = /[,\uff0c]/;
const POINTS = /[.\uff0e]/;

/**
 * Whether the prices of a file contain points that may be thousands separators. Points are certainly decimal only in a comma-separated file
 * without decimal commas: spreadsheet programs that group digits by points use semicolons or tabs as separators.
 */
export const areDecimalPointsAmbiguous = (prices: readonly string[], separatesByCommas: boolean): boolean =>
  prices.some((price) => POINTS.test(price)) && (!separatesByCommas || prices.some((price) => COMMAS.test(price)));

/** Text of a price whose point is certainly decimal: a zero is appended to three decimals, which might be thousands. */
export const priceText = (price: number): string => String(price).replace(/\.\d{3}$/, '$&0');
