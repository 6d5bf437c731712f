import type { StatusId } from '@po/contracts/constants';

/** Colors of a status: text, background, and the dot beside the text. */
const PARTS = ['text', 'ground', 'dot'];
type Scheme = 'light' | 'dark';
type StatusColors = readonly [text: string, ground: string, dot: string];

/** The only table of status colors. Light text colors are the API's own, darkened where the contrast requires it. */
export const STATUS_COLORS: Readonly<Record<StatusId, Record<Scheme, StatusColors>>> = {
  100: { light: ['#1d4ed8', '#eef3fe', '#2563eb'], dark: ['#9dbdfb', '#172440', '#5b8ef5'] },
  150: { light: ['#b03c0b', '#fdf1ea', '#c2410c'], dark: ['#f5a97f', '#341d12', '#e06c34'] },
  200: { light: ['#855306', '#fbf4e1', '#c98a0b'], dark: ['#e6c35e', '#2e2510', '#c99a1e'] },
  300: { light: ['#156f37', '#eaf6ee', '#16a34a'], dark: ['#7dd3a0', '#12291b', '#34b169'] },
  400: { light: ['#5f26c4', '#f3eefd', '#7c3aed'], dark: ['#c0a6f7', '#251a3f', '#9466f0'] },
  500: { light: ['#0b6479', '#e8f5f8', '#0891b2'], dark: ['#77cbe0', '#0e2a33', '#22a6c6'] },
  600: { light: ['#41495a', '#f0f1f4', '#6b7280'], dark: ['#b6bdc9', '#23272e', '#858d9a'] },
  900: { light: ['#a61b1b', '#fdeeee', '#dc2626'], dark: ['#f2a0a0', '#361717', '#e25555'] },
};

export const STATUS_COUNT = Object.keys(STATUS_COLORS).length;

/** Status whose colors stand for a status unknown to this version. */
export const UNKNOWN_STATUS = 600;

/** CSS variables of a theme: `--status-100-text`, `-ground`, `-dot`. */
export function statusVariables(scheme: Scheme): Record<`--${string}`, string> {
  const entries = Object.entries(STATUS_COLORS).flatMap(([statusId, colors]) =>
    PARTS.map((part, at) => [`--status-${statusId}-${part}`, colors[scheme][at]]),
  );
  return Object.fromEntries(entries) as Record<`--${string}`, string>;
}
