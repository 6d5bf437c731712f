const ITEMS = 500;
const SIZES = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', '3XL', '4XL', '5XL'];

/** The maximum number of lines that the source may send; `valuesOf` is called for each. */
export const largestOrderLines = (valuesOf: () => { qty: number; unitPrice: number }) =>
  Array.from({ length: ITEMS }, (_, item) =>
    SIZES.map((size, index) => ({
      lineId: String(item * SIZES.length + index + 1),
      code: `STYLE-${item}-NAVY-BLUE`,
      style: `STYLE-${item}`,
      color: 'NAVY-BLUE',
      size,
      ...valuesOf(),
    })),
  ).flat();
