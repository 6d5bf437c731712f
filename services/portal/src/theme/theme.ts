import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineTheme,
  Menu,
  Popover,
  Skeleton,
  Tooltip,
  createTheme,
} from '@mantine/core';
import { statusVariables } from './status-colors.js';

/** The ten shades of a palette, from light to dark. */
const shades = (colors: string) => colors.split(' ') as unknown as MantineColorsTuple;

/** The accent color, indigo. Filled elements use shade 6 in light and 5 in dark mode; white text is readable on both. */
const ACCENT = shades('#eef0fd #dde1fa #bcc3f4 #99a3ee #7a87e7 #5b69de #4353d0 #3644b4 #2c3893 #222c75');
const GRAY = shades('#fafbfb #f4f5f7 #e9ebee #dfe2e6 #cdd1d8 #9aa1ad #6b7280 #4c5361 #2f343e #181b21');
const DARK = shades('#e7e9ed #c3c8d1 #a2a9b5 #6f7784 #3a404a #2b3038 #1e2127 #121418 #0c0e11 #07080a');

const FONT = '-apple-system, "Segoe UI", Roboto, "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif';
const MONOSPACE = 'ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace';

/** Heights of controls: normally 32 px, and 28 px in dense rows. */
const HEIGHTS: Record<string, string> = { xs: '24px', sm: '28px', md: '32px', lg: '40px' };
const heightOf = (size: unknown): string | undefined => (typeof size === 'string' ? HEIGHTS[size] : undefined);

export const THEME = createTheme({
  fontFamily: FONT,
  fontFamilyMonospace: MONOSPACE,
  colors: { accent: ACCENT, gray: GRAY, dark: DARK },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'md',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  components: {
    Button: Button.extend({
      defaultProps: { size: 'md' },
      vars: (_theme, { size }) => ({
        root: {
          '--button-height': heightOf(size),
          '--button-padding-x': size === 'sm' || size === 'xs' ? '10px' : '12px',
          '--button-fz': '13px',
        },
      }),
      styles: { label: { fontWeight: 500 } },
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { size: 'md', variant: 'subtle', color: 'gray' },
      vars: (_theme, { size }) => ({ root: { '--ai-size': heightOf(size) } }),
    }),
    // A plain object: `Input.extend` would put the component into the first load.
    Input: {
      defaultProps: { size: 'md' },
      vars: (_theme: MantineTheme, { size }: { size?: unknown }) => ({
        wrapper: {
          '--input-height': heightOf(size),
          '--input-fz': 'var(--field-font-size)',
          '--input-padding': '10px',
        },
      }),
    },
    Menu: Menu.extend({
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        offset: 4,
        transitionProps: { duration: 100 },
        // The placeholder is not an allowed child of a menu. Without it, the first item or the one with data-autofocus gets the focus.
        withInitialFocusPlaceholder: false,
      },
    }),
    Popover: Popover.extend({ defaultProps: { shadow: 'md', offset: 4, transitionProps: { duration: 100 } } }),
    InputWrapper: {
      styles: {
        label: { marginBottom: 4, fontSize: 13, lineHeight: '20px', fontWeight: 500 },
        description: { marginTop: -4, marginBottom: 4, fontSize: 12, lineHeight: '16px', color: 'var(--quiet)' },
        error: { marginTop: 4, fontSize: 12, lineHeight: '16px' },
      },
    },
    Modal: {
      defaultProps: { centered: true, transitionProps: { duration: 120 } },
      styles: { title: { fontSize: 16, lineHeight: '24px', fontWeight: 600 } },
    },
    Tooltip: Tooltip.extend({
      defaultProps: {
        openDelay: 400,
        offset: 6,
        transitionProps: { duration: 80 },
        events: { hover: true, focus: true, touch: false },
      },
      styles: { tooltip: { fontSize: '12px', lineHeight: '16px' } },
    }),
    Switch: {
      defaultProps: { size: 'xs', withThumbIndicator: false },
      styles: { label: { paddingLeft: 6, color: 'var(--text)' } },
    },
    SegmentedControl: { styles: { label: { fontWeight: 500 } } },
    Skeleton: Skeleton.extend({ defaultProps: { radius: 'sm' } }),
  },
});

/** Color variables for the portal's own styles, in addition to Mantine's, in light and dark mode; one meaning each. */
const COLORS: Readonly<Record<`--${string}`, [light: string, dark: string]>> = {
  '--page': ['#ffffff', '#121418'],
  '--surface': ['#fafbfb', '#17191e'],
  '--hover': ['#f4f5f7', '#1e2127'],
  '--line': ['#e5e7eb', '#272b32'],
  '--field-border': ['#828996', '#6f7784'],
  '--text': ['#181b21', '#e7e9ed'],
  '--quiet': ['#5b626e', '#a2a9b5'],
  '--accent-text': ['#3a48bd', '#aab3f5'],
  '--accent-ground': ['#eef0fd', '#1f2444'],
  '--danger-text': ['#a61b1b', '#f2a0a0'],
  '--danger-ground': ['#fdeeee', '#361717'],
  '--warning-text': ['#855306', '#e6c35e'],
  '--warning-ground': ['#fbf4e1', '#2e2510'],
  '--live': ['#16a34a', '#34b169'],
  '--mantine-color-body': ['#ffffff', '#121418'],
  '--mantine-color-text': ['#181b21', '#e7e9ed'],
  '--mantine-color-dimmed': ['#5b626e', '#a2a9b5'],
  '--mantine-color-default-border': ['#d8dbe0', '#343a44'],
  '--mantine-color-placeholder': ['#6b7280', '#8d95a2'],
  '--mantine-color-error': ['#a61b1b', '#f2a0a0'],
};

const colorsOf = (scheme: 0 | 1) =>
  Object.fromEntries(Object.entries(COLORS).map(([name, both]) => [name, both[scheme]]));

export const variables: CSSVariablesResolver = () => ({
  variables: { '--header-height': '48px', '--field-font-size': '13px' },
  light: { ...colorsOf(0), ...statusVariables('light') },
  dark: {
    ...colorsOf(1),
    '--mantine-color-default': '#17191e',
    '--mantine-color-default-hover': '#1e2127',
    ...statusVariables('dark'),
  },
});
