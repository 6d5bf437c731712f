import type { ReminderRule } from '@po/contracts';

/** Values for the titles of a reminder. */
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

const inUtc = (language: string, year?: 'numeric') =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: 'numeric', month: 'long', year });
const DATES = {
  thisYear: { en: inUtc('en-GB'), zh: inUtc('zh-CN') },
  otherYear: { en: inUtc('en-GB', 'numeric'), zh: inUtc('zh-CN', 'numeric') },
};

/** The titles of a reminder. A date shows its year only if it is not the year of the reminder. */
export function titlesOf(rule: ReminderRule, facts: TitleFacts): Titles {
  const { date, title, titleZh } = TITLES[rule];
  const { en, zh } = DATES[facts.dueOn.slice(0, 4) === facts[date].slice(0, 4) ? 'thisYear' : 'otherYear'];
  const on = new Date(facts[date]);
  return {
    title: `${facts.poNumber}: ${title.replace('{date}', en.format(on))}`,
    titleZh: `${facts.poNumber}：${titleZh.replace('{date}', zh.format(on))}`,
  };
}
