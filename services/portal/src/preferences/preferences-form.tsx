import { Button, type OptionsFilter, Select, TextInput } from '@mantine/core';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { useState } from 'react';
import type { Preferences, Versioned } from '../api/schemas.js';
import { LeaveGuard } from '../components/dialogs/leave-guard.js';
import { NewerNotice } from '../components/forms/newer-notice.js';
import { Panel } from '../components/page.js';
import { ProblemLine } from '../components/loading-and-errors/states.js';
import { Switch } from '../components/forms/switch.js';
import { useFocusFallback } from '../components/dialogs/use-return-focus.js';
import { LANGUAGES } from '../language/dictionary.js';
import { useLanguage, useTexts } from '../language/language.js';
import { type Choice, MAIL_KINDS, MAIL_MODES } from './choices.js';
import { PREFERENCES } from './texts.js';
import { usePreferencesEdit } from './use-preferences-edit.js';
import { useNow } from '../components/relative-time.js';
import { LOCALES } from '../language/formats.js';
import { fitsSearch, ownTimeZone, timeIn, timeZones } from './time-zones.js';
import layout from '../theme/layout.module.css';
import styles from '../theme/text.module.css';
import classes from './preferences.module.css';

export function PreferencesForm({ preferences }: { preferences: Versioned<Preferences> }) {
  const texts = useTexts(PREFERENCES);
  const edit = usePreferencesEdit(preferences);
  const { isChanged, newer } = edit;
  useFocusFallback(`${isChanged} ${edit.isSaving}`);
  const nameOf = (value = ''): string => {
    const mode = MAIL_MODES.find((one) => one === value);
    return mode ? texts.modes[mode] : (LANGUAGES.find(([language]) => language === value)?.[1] ?? value);
  };
  const isTimeMissing = edit.valueOf('digestAt') === '';
  const canSave = isChanged && newer.conflicts.length === 0 && !isTimeMissing && !edit.isSaving;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) edit.save();
      }}
    >
      <Panel title={texts.place}>
        <div className={layout.stack}>
          <Switch
            isBeside
            name={texts.names.locale}
            note={texts.notes.locale}
            value={edit.valueOf('locale')}
            choices={LANGUAGES.map(([value, label]) => ({ value, label: <span lang={value}>{label}</span> }))}
            choose={(value) => edit.choose('locale', value)}
          />
          <TimeZoneField value={edit.valueOf('timeZone')} choose={(zone) => edit.choose('timeZone', zone)} />
        </div>
      </Panel>
      <Panel title={texts.mail}>
        <div className={layout.stack}>
          {MAIL_KINDS.map((kind) => (
            <Switch
              key={kind}
              isBeside
              name={texts.names[kind]}
              note={texts.notes[kind]}
              value={edit.valueOf(kind)}
              choices={MAIL_MODES.map((mode) => ({ value: mode, label: texts.modes[mode] }))}
              choose={(mode) => edit.choose(kind, mode)}
            />
          ))}
          <TextInput
            type="time"
            required
            withAsterisk={false}
            className={classes.time}
            label={texts.names.digestAt}
            description={texts.notes.digestAt}
            value={edit.valueOf('digestAt')}
            error={isTimeMissing && texts.noTime}
            onChange={({ currentTarget }) => edit.choose('digestAt', currentTarget.value)}
          />
        </div>
      </Panel>
      {newer.changes.length > 0 && (
        <NewerNotice
          title={texts.newer.title}
          texts={texts.newer}
          settle={newer.conflicts.length > 0 ? edit.settle : null}
        >
          <ul className={classes.changes}>
            {newer.changes.map(({ field, to }) => (
              <li key={field}>{texts.newer.value(texts.names[field as Choice], nameOf(to))}</li>
            ))}
          </ul>
        </NewerNotice>
      )}
      {edit.error && <ProblemLine error={edit.error} />}
      <div className={layout.row}>
        <Button type="submit" loading={edit.isSaving} disabled={!canSave}>
          {texts.save}
        </Button>
        {isChanged && (
          <Button variant="default" disabled={edit.isSaving} onClick={edit.discard}>
            {texts.discard}
          </Button>
        )}
        <span role="status" className={styles.quietMedium}>
          {edit.isSaved && !isChanged && texts.saved}
        </span>
      </div>
      <LeaveGuard isBusy={isChanged} />
    </form>
  );
}

const MINUTE_MS = 60_000;

const byWords: OptionsFilter = ({ options, search }) =>
  options.filter((option) => 'value' in option && fitsSearch(String(option.value), search));

/** Input for a time zone, with the current time there, and a button for the zone of this device if it differs. */
function TimeZoneField({ value, choose }: { value: string; choose: (zone: string) => void }) {
  const texts = useTexts(PREFERENCES);
  const { language } = useLanguage();
  const now = useNow(MINUTE_MS / 4);
  const [zones] = useState(() => timeZones(value));
  const own = ownTimeZone();
  return (
    <div className={classes.zone}>
      <Select
        searchable
        allowDeselect={false}
        label={texts.names.timeZone}
        description={texts.timeZone(timeIn(value, LOCALES[language], now))}
        data={zones}
        value={value}
        filter={byWords}
        nothingFoundMessage={texts.noZone}
        maxDropdownHeight={280}
        onChange={(zone) => zone !== null && choose(zone)}
      />
      {own !== value && (
        <Button size="xs" variant="subtle" onClick={() => choose(own)}>
          {texts.ownZone(own)}
        </Button>
      )}
    </div>
  );
}
