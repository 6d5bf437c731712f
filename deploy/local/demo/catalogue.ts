/** An article as an apparel buyer orders it: a style in several colors and a size run, with the usual split of the quantity. */
export interface Article {
  style: string;
  colors: readonly string[];
  sizes: readonly string[];
  /** Pieces per size for 100 pieces in total. */
  split: readonly number[];
  /** USD per piece. */
  price: number;
}

const LETTERS = ['XS', 'S', 'M', 'L', 'XL', 'XXL'] as const;
const WAISTS = ['28', '29', '30', '31', '32', '33', '34', '36'] as const;
const KIDS = ['2T', '3T', '4T', '5', '6', '7-8'] as const;
const ONE_SIZE = ['OS'] as const;

const article = (
  style: string,
  colors: readonly string[],
  sizes: readonly string[],
  split: readonly number[],
  price: number,
): Article => ({ style, colors, sizes, split, price });

export const ARTICLES = {
  crewTee: article('KT-1042', ['WHT', 'BLK', 'NVY'], LETTERS, [8, 18, 27, 25, 15, 7], 3.85),
  stripeTee: article('KT-1077', ['NVY-WHT', 'RED-WHT'], LETTERS, [10, 20, 26, 24, 14, 6], 4.4),
  pimaPolo: article('KP-2210', ['BLK', 'FOREST', 'SKY'], LETTERS, [5, 15, 28, 28, 17, 7], 7.9),
  fleeceHoodie: article('FH-3301', ['HGREY', 'BLK'], LETTERS, [6, 16, 27, 27, 16, 8], 11.25),
  quarterZip: article('FH-3342', ['CHAR', 'BURG'], LETTERS, [6, 17, 28, 26, 16, 7], 12.6),
  slimJean: article('DN-5110', ['INDIGO', 'BLKWSH'], WAISTS, [5, 8, 17, 14, 22, 12, 14, 8], 14.3),
  chino: article('WP-5402', ['KHAKI', 'NVY', 'OLIVE'], WAISTS, [4, 9, 18, 15, 21, 13, 13, 7], 9.75),
  oxfordShirt: article('WS-6015', ['WHT', 'LTBLUE'], LETTERS, [4, 16, 29, 28, 16, 7], 8.65),
  linenDress: article('WD-7120', ['SAND', 'TERRA'], ['XS', 'S', 'M', 'L', 'XL'], [12, 26, 30, 21, 11], 13.4),
  wrapSkirt: article('WK-7233', ['BLK', 'SAGE'], ['XS', 'S', 'M', 'L', 'XL'], [14, 27, 29, 20, 10], 8.2),
  rainShell: article('OJ-8005', ['YEL', 'NVY'], LETTERS, [6, 18, 28, 26, 15, 7], 21.9),
  downVest: article('OJ-8031', ['BLK', 'RUST'], LETTERS, [7, 18, 27, 25, 16, 7], 18.75),
  kidsLegging: article('KL-9107', ['PINK', 'LILAC', 'TEAL'], KIDS, [14, 16, 18, 18, 18, 16], 2.35),
  kidsPajama: article('KL-9150', ['STARS', 'DINO'], KIDS, [15, 17, 18, 18, 17, 15], 5.1),
  ribBeanie: article('AC-0420', ['BLK', 'CAMEL', 'FOREST'], ONE_SIZE, [100], 1.95),
  canvasTote: article('AC-0515', ['NATURAL', 'BLK'], ONE_SIZE, [100], 2.6),
} as const satisfies Record<string, Article>;

export type ArticleName = keyof typeof ARTICLES;

export const VENDORS = {
  ACME: { code: 'ACME', name: 'Acme Apparel Ltd.', factories: ['Ningbo Plant 2', 'Hefei Knit'] },
  BOLT: { code: 'BOLT', name: 'Bolt Garments S.A.', factories: ['Tirupur Unit 4', 'Karur Dyehouse'] },
  CRANE: { code: 'CRANE', name: 'Crane Textiles Co.', factories: ['Hai Phong A', 'Da Nang Wovens'] },
} as const;

export type VendorCode = keyof typeof VENDORS;
