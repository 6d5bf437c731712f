import { useFormats, useTexts } from '../../language/language.js';
import { DUE } from './due-texts.js';
import { dueStateOf, todayAt } from './next-due.js';
import { useNow } from '../relative-time.js';
import classes from '../components.module.css';

const TEN_MINUTES_MS = 10 * 60_000;

/** The task that an order waits for, and its date; empty if there is none. `isShort`: for use below a heading that says so. */
export function DueLabel({ order, isShort = false }: { order: Parameters<typeof dueStateOf>[0]; isShort?: boolean }) {
  const { tasks, full, short } = useTexts(DUE);
  const formats = useFormats();
  const state = dueStateOf(order, todayAt(useNow(TEN_MINUTES_MS)));
  if (!state) return null;
  const { task, when, by, reminderOn } = state;
  const date = formats.date(by);
  const sentence = full[when](tasks[task], date);
  return (
    <span className={classes.due} data-when={when} title={`${sentence}\n${full.reminder(formats.date(reminderOn))}`}>
      {isShort ? short[when](tasks[task], date) : sentence}
    </span>
  );
}
