import { Combobox, Textarea, VisuallyHidden, useCombobox } from '@mantine/core';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { participantsQuery } from '../../api/conversation.js';
import { useApi, useMe } from '../../api/api.js';
import type { Participant } from '../../api/schemas.js';
import { isComposing } from '../../components/forms/is-composing.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { type Mentioned, completed, labelOf, mentionQueryAt } from './mentions.js';
import { CONVERSATION } from './texts.js';
import { COMPOSER_ID } from './use-message-draft.js';
import styles from '../../theme/text.module.css';
import classes from './conversation.module.css';

/** Pause in typing before participants are searched. */
const TYPING_MS = 150;

interface MentionFieldProps {
  poRef: string;
  value: string;
  mentions: readonly Mentioned[];
  isInternal: boolean;
  isBusy: boolean;
  error: string | null;
  change: (text: string, chosen?: Mentioned) => void;
  post: () => void;
}

/** Message text. An `@` opens a list of participants: arrow keys move, Enter selects, Escape closes. */
export function MentionField({ poRef, value, mentions, isInternal, isBusy, error, change, post }: MentionFieldProps) {
  const texts = useTexts(CONVERSATION);
  const { quantity } = useFormats();
  const field = useRef<HTMLTextAreaElement>(null);
  const options = useId();
  const [caret, setCaret] = useState(0);
  const [isFocused, setFocused] = useState(false);
  /** Position of the `@` whose list the user closed. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const query = isFocused && !isBusy ? mentionQueryAt(value, caret, mentions) : null;
  const wanted = query !== null && query.from !== closedAt ? query : null;
  const people = useParticipants(poRef, wanted?.query ?? null, isInternal);
  const isOpen = wanted !== null && people.length > 0;
  const current = Math.min(active, people.length - 1);
  const optionId = (index: number) => `${options}-${index}`;

  /** Caret position to set after the new text is rendered. */
  const next = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (next.current === null) return;
    field.current?.setSelectionRange(next.current, next.current);
    next.current = null;
  }, [value]);
  const take = (one: Participant | undefined) => {
    if (!wanted || !one) return;
    const mentioned = { userId: one.userId, name: one.name, isVendor: one.role === 'VENDOR' };
    const { text, caret: after } = completed(value, wanted, mentioned);
    next.current = after;
    setCaret(after);
    change(text, mentioned);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // During IME composition, Enter and arrows select among the suggestions.
    if (isComposing(event.nativeEvent)) return;
    const { key } = event;
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) post();
    else if (!isOpen) return;
    else if (key === 'ArrowDown') setActive((current + 1) % people.length);
    else if (key === 'ArrowUp') setActive((current + people.length - 1) % people.length);
    else if (key === 'Enter') take(people[current]);
    else if (key === 'Escape') setClosedAt(wanted.from);
    else return;
    event.preventDefault();
  };
  const store = useCombobox({ opened: isOpen });
  return (
    <Combobox
      store={store}
      position="bottom-start"
      width={280}
      onOptionSubmit={(userId) => take(people.find((one) => one.userId === userId))}
    >
      <Combobox.Target withAriaAttributes={false} withKeyboardNavigation={false}>
        <Textarea
          ref={field}
          id={COMPOSER_ID}
          aria-label={texts.message}
          placeholder={texts.placeholder}
          autosize
          minRows={2}
          maxRows={12}
          role="combobox"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? options : undefined}
          aria-activedescendant={isOpen ? optionId(current) : undefined}
          autoComplete="off"
          readOnly={isBusy}
          value={value}
          error={error}
          onChange={({ currentTarget }) => {
            setCaret(currentTarget.selectionStart);
            setActive(0);
            setClosedAt((at) => (currentTarget.value.charAt(at ?? -1) === '@' ? at : null));
            change(currentTarget.value);
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options id={options} aria-label={texts.people} labelledBy={undefined}>
          {people.map((one, index) => (
            <Combobox.Option
              key={one.userId}
              id={optionId(index)}
              value={one.userId}
              aria-selected={index === current}
              className={classes.person}
              data-current={index === current || undefined}
            >
              {labelOf(one)}
              <Side one={one} />
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
      <VisuallyHidden role="status">
        {isOpen && texts.found(quantity(people.length), people.length === 1)}
      </VisuallyHidden>
    </Combobox>
  );
}

function Side({ one: { role, vendorCode } }: { one: Participant }) {
  const terms = useTexts(TERMS);
  const side = role === 'VENDOR' ? `${terms.vendor} ${vendorCode ?? ''}` : null;
  return side !== null && <span className={styles.quietSmall}>{side}</span>;
}

/** Participants who may be mentioned and whose name contains `q`; none if `q` is null. */
function useParticipants(poRef: string, q: string | null, isInternal: boolean): Participant[] {
  const { client } = useApi();
  const me = useMe();
  const [debounced] = useDebouncedValue(q, TYPING_MS);
  const { data = [], isPlaceholderData } = useQuery({
    ...participantsQuery(client, poRef, debounced?.trim() ?? ''),
    enabled: debounced !== null,
    placeholderData: keepPreviousData,
  });
  if (q === null) return [];
  const isAnswer = !isPlaceholderData && debounced?.trim() === q.trim();
  const text = q.trim().toLowerCase();
  // Until the API answers, its previous answer. Afterwards every name fits, also one that `toLowerCase` changes differently, such as İnce.
  const fits = (one: Participant) => isAnswer || labelOf(one).toLowerCase().includes(text);
  return data.filter((one) => one.userId !== me?.userId && fits(one) && !(isInternal && one.role === 'VENDOR'));
}
