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

/** The ten of a palette, from light to dark. */
const shades = (colors: string) => colors.split(' ') as unknown as MantineColorsTuple;

/** The one accent: indigo. Six and five are what light and dark fill with; white on them can be read. */
const ACCENT = shades('#eef0fd #dde1fa #bcc3f4 #99a3ee #7a87e7 #5b69de #4353d0 #3644b4 #2c3893 #222c75');
const GRAY = shades('#fafbfb #f4f5f7 #e9ebee #dfe2e6 #cdd1d8 #9aa1ad #6b7280 #4c5361 #2f343e #181b21');
const DARK = shades('#e7e9ed #c3c8d1 #a2a9b5 #6f7784 #3a404a #2b3038 #1e2127 #121418 #0c0e11 #07080a');

const FONT = '-apple-system, "Segoe UI", Roboto, "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif';
const MONOSPACE = 'ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace';

/** Controls are 32 px high, and 28 where a line is dense. */
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
    // As plain objects: what is named here by its component is in the first load.
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
        // It would be a child that no menu may have; one item of each menu has data-autofocus instead.
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
    SegmentedControl: { styles: { label: { fontWeight: 500 } } },
    Skeleton: Skeleton.extend({ defaultProps: { radius: 'sm' } }),
  },
});

/** What the page's own styles are written with, beside Mantine's variables; one meaning each. */
export const variables: CSSVariablesResolver = () => ({
  variables: { '--header-height': '48px', '--field-font-size': '13px' },
  light: {
    '--page': '#ffffff',
    '--surface': '#fafbfb',
    '--hover': '#f4f5f7',
    '--line': '#e5e7eb',
    '--text': '#181b21',
    '--quiet': '#5b626e',
    '--accent-text': '#3a48bd',
    '--accent-ground': '#eef0fd',
    '--danger-text': '#a61b1b',
    '--danger-ground': '#fdeeee',
    '--warning-text': '#855306',
    '--warning-ground': '#fbf4e1',
    '--live': '#16a34a',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#181b21',
    '--mantine-color-dimmed': '#5b626e',
    '--mantine-color-default-border': '#d8dbe0',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#a61b1b',
    ...statusVariables('light'),
  },
  dark: {
    '--page': '#121418',
    '--surface': '#17191e',
    '--hover': '#1e2127',
    '--line': '#272b32',
    '--text': '#e7e9ed',
    '--quiet': '#a2a9b5',
    '--accent-text': '#aab3f5',
    '--accent-ground': '#1f2444',
    '--danger-text': '#f2a0a0',
    '--danger-ground': '#361717',
    '--warning-text': '#e6c35e',
    '--warning-ground': '#2e2510',
    '--live': '#34b169',
    '--mantine-color-body': '#121418',
    '--mantine-color-text': '#e7e9ed',
    '--mantine-color-dimmed': '#a2a9b5',
    '--mantine-color-default': '#17191e',
    '--mantine-color-default-hover': '#1e2127',
    '--mantine-color-default-border': '#343a44',
    '--mantine-color-placeholder': '#8d95a2',
    '--mantine-color-error': '#f2a0a0',
    ...statusVariables('dark'),
  },
});
