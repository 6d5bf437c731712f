/** Browsers list these zones under their old names. Users search for the current names, which browsers also accept. */
const RENAMED: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
};

const presentName = (zone: string): string => (Object.hasOwn(RENAMED, zone) ? (RENAMED[zone] ?? zone) : zone);

export const ownTimeZone = (): string => presentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** All zones of this browser, the chosen one, which may be newer, and UTC, which browsers do not list. */
export const timeZones = (chosen: string): string[] => {
  const known = Intl.supportedValuesOf('timeZone').map(presentName);
  return [...new Set(['UTC', chosen, ownTimeZone(), ...known])].toSorted();
};

/** Whether a zone matches all words: `Asia/Ho_Chi_Minh` matches "ho chi", `America/Argentina/Salta` matches "salta america". */
export function fitsSearch(zone: string, search: string): boolean {
  const name = wordsOf(zone);
  return wordsOf(search)
    .split(' ')
    .every((word) => name.includes(word));
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[_/\s]+/g, ' ')
    .trim();

/** Current time and UTC offset of a zone; null if this browser does not know the zone. */
export function timeIn(zone: string, locale: string, now: number): string | null {
  try {
    return new Intl.DateTimeFormat(locale, {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'shortOffset',
    }).format(now);
  } catch {
    return null;
  }
}
