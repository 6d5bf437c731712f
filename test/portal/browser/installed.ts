import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Paths of installed Chrome and Chromium programs that are not on the PATH. */
const PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  win32: ['C:\\Program Files', 'C:\\Program Files (x86)'].map(
    (folder) => `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
  ),
};

/** Possible paths of a browser, the preferred one first. */
export function installedPlaces(platform: NodeJS.Platform, searchPath: string): string[] {
  const folders = ['/usr/bin', ...searchPath.split(delimiter).filter((folder) => folder !== '')];
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...(PLACES[platform] ?? [])];
}

/** The first executable file, or null. */
export const findInstalled = (places: readonly string[]): string | null => places.find(isProgram) ?? null;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
