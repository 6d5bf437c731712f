import { describe, expect, it } from '@jest/globals';
import type { MantineTheme } from '@mantine/core';
import { STATUS_COLORS, statusVariables } from './status-colors.js';
import { THEME, variables } from './theme.js';

/** Relative luminance by WCAG. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe('the status colors', () => {
  it.each(Object.entries(STATUS_COLORS))(
    'of status %s have sufficient contrast in light and dark mode',
    (_statusId, { light, dark }) => {
      for (const [text, ground] of [light, dark]) expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('are available as CSS variables', () => {
    expect(statusVariables('dark')).toMatchObject({ '--status-100-text': '#9dbdfb', '--status-900-dot': '#e25555' });
  });
});

describe('the border of fields', () => {
  it.each(['light', 'dark'] as const)('stands out from every background in %s mode', (scheme) => {
    const colors = Object.entries(variables(THEME as MantineTheme)[scheme]);
    const [border = ''] = colors.flatMap(([name, color]) => (name === '--field-border' ? color : []));
    const grounds = colors.filter(([name]) => /^--(page|surface|hover|.*-ground|mantine-color-default)$/.test(name));
    for (const [, ground] of grounds) expect(contrast(border, ground)).toBeGreaterThanOrEqual(3);
  });
});
