import { randomOf } from './random.js';

/** A product of a vendor: a style with its colors and sizes. */
export interface Style {
  style: string;
  colors: readonly string[];
  sizes: readonly string[];
  /** Price per piece in US cents. */
  cents: number;
}

export interface Vendor {
  code: string;
  name: string;
  factories: readonly [string, ...string[]];
}

const LETTERS = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', '3XL'];
const WAISTS = ['28', '29', '30', '31', '32', '33', '34', '36', '38'];
const KIDS = ['2T', '3T', '4T', '5', '6', '7-8', '9-10', '11-12'];
const SHOES = ['36', '37', '38', '39', '40', '41', '42', '43', '44', '45'];

type Kind = readonly [
  prefix: string,
  chinese: string,
  sizes: readonly string[],
  lowestCents: number,
  highestCents: number,
];

const KINDS: readonly [Kind, ...Kind[]] = [
  ['KT', '圆领T恤', LETTERS, 280, 620],
  ['KP', '珠地网眼衫', LETTERS, 540, 1150],
  ['FH', '连帽卫衣', LETTERS, 890, 1760],
  ['DN', '修身牛仔裤', WAISTS, 1080, 2150],
  ['WP', '斜纹休闲裤', WAISTS, 820, 1640],
  ['WS', '牛津纺衬衫', LETTERS, 690, 1480],
  ['WD', '亚麻连衣裙', LETTERS, 1090, 2480],
  ['WK', '半身裙', LETTERS, 640, 1390],
  ['OJ', '防雨夹克', LETTERS, 1790, 3990],
  ['KL', '童装打底裤', KIDS, 190, 480],
  ['KJ', '童装套装', KIDS, 420, 990],
  ['FS', '帆布鞋', SHOES, 880, 2290],
];

const COLORS = [
  ...'WHT BLK NVY HGREY CHAR BURG OLIVE KHAKI SAND TERRA SAGE RUST FOREST SKY INDIGO LILAC TEAL PINK YEL'.split(' '),
  ...'米白 藏青 酒红 卡其 军绿 雾霾蓝'.split(' '),
];

const CITIES = [
  ['Ningbo', '宁波'],
  ['Dongguan', '东莞'],
  ['Hefei', '合肥'],
  ['Shaoxing', '绍兴'],
  ['Jiaxing', '嘉兴'],
  ['Quanzhou', '泉州'],
  ['Qingdao', '青岛'],
  ['Tirupur', '蒂鲁普尔'],
  ['Dhaka', '达卡'],
  ['Hai Phong', '海防'],
] as const;
const HOUSES = [
  ['Hengfeng', '恒丰'],
  ['Jinlun', '锦纶'],
  ['Huamao', '华茂'],
  ['Yongtai', '永泰'],
  ['Xinhe', '新禾'],
  ['Debao', '德宝'],
  ['Meilian', '美联'],
  ['Ruixiang', '瑞祥'],
  ['Tianhong', '天虹'],
  ['Baolong', '宝隆'],
] as const;
const TRADES = [
  ['Garment', '制衣'],
  ['Knitting', '针织'],
  ['Apparel', '服饰'],
  ['Textile', '纺织'],
  ['Fashion', '时装'],
] as const;

/** The vendor with this index. Half of the vendors have an English name, half a Chinese one. */
export function vendorOf(index: number): Vendor {
  const [city, cityZh] = CITIES[index % 10] ?? CITIES[0];
  const [house, houseZh] = HOUSES[Math.floor(index / 10) % 10] ?? HOUSES[0];
  const [trade, tradeZh] = TRADES[Math.floor(index / 100) % 5] ?? TRADES[0];
  const turn = Math.floor(index / 500);
  const name = index % 2 === 0 ? `${city} ${house} ${trade} Co., Ltd.` : `${cityZh}${houseZh}${tradeZh}有限公司`;
  return {
    code: `V${String(index + 1).padStart(4, '0')}`,
    name: turn === 0 ? name : `${name} (${turn + 1})`,
    factories: [`${city} Plant ${1 + (index % 4)}`, `${cityZh}${houseZh}二厂`],
  };
}

const STYLES_PER_VENDOR = 30;

/** A style of a vendor. Every seventh has a Chinese name in its number. */
export function styleOf(seed: number, vendor: number, index: number): Style {
  const own = vendor * STYLES_PER_VENDOR + (index % STYLES_PER_VENDOR);
  const random = randomOf(seed, 1, own);
  const [prefix, chinese, sizes, low, high] = random.one(KINDS);
  const number = `${random.between(23, 26)}${String(own).padStart(5, '0')}`;
  const from = random.between(0, 2);
  const firstColor = random.between(0, COLORS.length - 1);
  return {
    style: own % 7 === 0 ? `${chinese}-${number}` : `${prefix}-${number}`,
    colors: Array.from(
      { length: random.between(1, 5) },
      (_, shift) => COLORS[(firstColor + 3 * shift) % COLORS.length] as string,
    ),
    sizes: sizes.slice(from, from + random.between(5, 7)),
    cents: random.between(low, high),
  };
}
