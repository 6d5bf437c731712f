import type { ReminderRule } from '@po/contracts';

/** What a reminder is about. */
interface TitleFacts {
  poNumber: string;
  /** The date of the rule's first step. */
  firstOn: string;
  xfDate: string;
  /** The date of the reminder. */
  dueOn: string;
}

interface Titles {
  title: string;
  titleZh: string;
}

const TITLES: Record<ReminderRule, { date: 'firstOn' | 'xfDate'; title: string; titleZh: string }> = {
  REPLY_DUE: { date: 'firstOn', title: 'reply due since {date}', titleZh: '自{date}起待回复' },
  APPROVAL_DUE: { date: 'firstOn', title: 'approval due since {date}', titleZh: '自{date}起待审批' },
  EX_FACTORY_SOON: { date: 'xfDate', title: 'ex-factory date {date}', titleZh: '离厂日期为{date}' },
  EX_FACTORY_OVERDUE: {
    date: 'xfDate',
    title: 'ex-factory date {date} has passed',
    titleZh: '已超过离厂日期{date}',
  },
  DELIVERY_DUE: {
    date: 'firstOn',
    title: 'delivery to be confirmed since {date}',
    titleZh: '自{date}起待确认收货',
  },
};

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The titles of a reminder. A date of another year than the reminder's has its year. */
export function titlesOf(rule: ReminderRule, facts: TitleFacts): Titles {
  const { date, title, titleZh } = TITLES[rule];
  const [year, month, day] = partsOf(facts[date]);
  const isOtherYear = !facts.dueOn.startsWith(year);
  const inEnglish = `${day} ${MONTHS[month - 1]}${isOtherYear ? ` ${year}` : ''}`;
  const inChinese = `${isOtherYear ? `${year}年` : ''}${month}月${day}日`;
  return {
    title: `${facts.poNumber}: ${title.replace('{date}', inEnglish)}`,
    titleZh: `${facts.poNumber}：${titleZh.replace('{date}', inChinese)}`,
  };
}

function partsOf(date: string): [year: string, month: number, day: number] {
  const [year = '', month, day] = date.split('-');
  return [year, Number(month), Number(day)];
}
