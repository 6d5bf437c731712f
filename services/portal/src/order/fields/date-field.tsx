import { DateInput } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/zh-cn';
import { IconCalendarEvent } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { readDate } from './dates.js';
import { FIELDS } from './texts.js';
import classes from './fields.module.css';

/** A date by its picker, or typed. */
export default function DateField(props: {
  label: ReactNode;
  description: ReactNode;
  error: string | undefined;
  /** `YYYY-MM-DD`. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** What is shown first where there is no value. */
  around: string;
}) {
  const { around, error, ...field } = props;
  const { language } = useLanguage();
  const { date } = useFormats();
  const texts = useTexts(FIELDS);
  /** What was typed and is no date: the field shows its value again, and says so. */
  const [notRead, setNotRead] = useState<string | null>(null);
  return (
    <DateInput
      {...field}
      error={notRead === null ? error : texts.notRead(notRead, date(around))}
      onFocus={() => setNotRead(null)}
      onBlur={({ currentTarget: { value: text } }) =>
        setNotRead(text.trim() !== '' && readDate(text) === null ? text.trim() : null)
      }
      clearable
      clearButtonProps={{ 'aria-label': texts.clear }}
      ariaLabels={texts.calendar}
      hideOutsideDates
      // Factories work on other days than offices: none is special.
      weekendDays={[]}
      classNames={{ day: classes.day, weekday: classes.weekday, calendarHeaderLevel: classes.level }}
      locale={language === 'zh' ? 'zh-cn' : 'en'}
      firstDayOfWeek={1}
      monthLabelFormat={language === 'zh' ? 'YYYY年M月' : 'MMMM YYYY'}
      yearLabelFormat={language === 'zh' ? 'YYYY年' : 'YYYY'}
      valueFormat={date}
      dateParser={readDate}
      defaultDate={field.value ?? around}
      leftSection={<IconCalendarEvent size={14} aria-hidden />}
      placeholder={date(around)}
      popoverProps={{ shadow: 'md' }}
    />
  );
}
