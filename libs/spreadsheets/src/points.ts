const COMMAS = /[,\uff0c]/;
const POINTS = /[.\uff0e]/;

/**
 * Whether the texts of a file's prices have points that may separate thousands. They are decimal for sure only in a file that separates by
 * commas and has no decimal commas: spreadsheet programs that group by points write semicolons, or tabs.
 */
export const arePointsUnclear = (prices: readonly string[], separatesByCommas: boolean): boolean =>
  prices.some((price) => POINTS.test(price)) && (!separatesByCommas || prices.some((price) => COMMAS.test(price)));
