import { Input, Popover, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/zh-cn';
import { IconCalendarEvent } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { isComposing } from '../../components/forms/is-composing.js';
import { useRemovedField } from '../../components/forms/use-removed-field.js';
import { readDate } from './dates.js';
import { FIELDS } from './texts.js';
import styles from '../../theme/text.module.css';
import classes from './fields.module.css';

/** Date picker with a text field. Typed text is committed by Enter, blur or the field's removal, because a part of it may be a date too. */
export default function DateField(props: {
  /** Element id, by which the field can be focused. */
  id: string;
  label: ReactNode;
  description: ReactNode;
  error: string | undefined;
  /** `YYYY-MM-DD`, or typed text that is not a date. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** Date shown as placeholder, and by the calendar if there is no value. */
  around: string;
}) {
  const { around, error, value, onChange, ...field } = props;
  const { language } = useLanguage();
  const { date } = useFormats();
  const texts = useTexts(FIELDS);
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  /** Month that the user turned to in the calendar. */
  const [month, setMonth] = useState<string | null>(null);
  const taken = value === null ? null : readDate(value);
  const read = typed === null ? taken : readDate(typed);
  const isUnread = value !== null && taken === null;
  const set = (next: string | null) => {
    setTyped(null);
    setMonth(null);
    onChange(next);
  };
  const leave = () => {
    setOpened(false);
    if (typed !== null) set(typed.trim() === '' ? null : (read ?? typed.trim()));
  };
  const input = useRemovedField(leave);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus={false}
      withRoles={false}
      shadow="md"
    >
      <Popover.Target>
        <TextInput
          {...field}
          ref={input}
          // Makes a save commit the typed text first.
          data-held=""
          autoComplete="off"
          error={typed === null && isUnread ? texts.notRead(value, date(around)) : error}
          value={typed ?? (taken === null ? (value ?? '') : date(taken))}
          placeholder={date(around)}
          leftSection={<IconCalendarEvent size={14} aria-hidden />}
          rightSection={
            value !== null && (
              <Input.ClearButton
                aria-label={texts.clear}
                onClick={() => {
                  set(null);
                  // The button disappears with the value.
                  input.current?.focus();
                  setOpened(false);
                }}
              />
            )
          }
          onFocus={() => setOpened(true)}
          onClick={() => setOpened(true)}
          onBlur={leave}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setMonth(null);
            setOpened(true);
          }}
          onKeyDown={({ key, nativeEvent }) => {
            if (isComposing(nativeEvent)) return;
            if (key === 'Enter') leave();
            if (key === 'Escape') setOpened(false);
          }}
        />
      </Popover.Target>
      <Popover.Dropdown onMouseDown={(event) => event.preventDefault()}>
        <DatePicker
          value={read}
          onChange={(day) => (set(day), setOpened(false))}
          date={month ?? read ?? around}
          onDateChange={setMonth}
          ariaLabels={texts.calendar}
          hideOutsideDates
          // Factories have other working days than offices, so no day is shown as weekend.
          weekendDays={[]}
          classNames={{ day: classes.day, weekday: styles.quietSmall, calendarHeaderLevel: classes.level }}
          locale={language === 'zh' ? 'zh-cn' : 'en'}
          firstDayOfWeek={1}
          monthLabelFormat={language === 'zh' ? 'YYYY年M月' : 'MMMM YYYY'}
          yearLabelFormat={language === 'zh' ? 'YYYY年' : 'YYYY'}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
