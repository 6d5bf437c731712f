/** Browsers list these by their first names; people look for the present ones, which browsers understand too. */
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

/** All zones that this browser knows, and the chosen one, which may be newer; UTC is none of the places that it lists. */
export const timeZones = (chosen: string): string[] => {
  const known = Intl.supportedValuesOf('timeZone').map(presentName);
  return [...new Set(['UTC', chosen, ownTimeZone(), ...known])].toSorted();
};

/** `Asia/Ho_Chi_Minh` is found by "ho chi", `America/Argentina/Salta` by "salta america". */
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

/** The time there and the distance from UTC; null for a zone that this browser does not know. */
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
