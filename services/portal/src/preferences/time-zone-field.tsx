import { Button, Select, type OptionsFilter } from '@mantine/core';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { useState } from 'react';
import { useNow } from '../components/relative-time.js';
import { LOCALES } from '../language/formats.js';
import { useLanguage, useTexts } from '../language/language.js';
import { PREFERENCES } from './texts.js';
import { fitsSearch, ownTimeZone, timeIn, timeZones } from './time-zones.js';
import classes from './preferences.module.css';

const MINUTE_MS = 60_000;

const byWords: OptionsFilter = ({ options, search }) =>
  options.filter((option) => 'value' in option && fitsSearch(String(option.value), search));

/** Input for a time zone, with the current time there, and a button for the zone of this device if it differs. */
export function TimeZoneField({ value, choose }: { value: string; choose: (zone: string) => void }) {
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
