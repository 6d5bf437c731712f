import { describe, expect, it } from '@jest/globals';
import { rolesOf, untranslated } from './translated.js';

const ENGLISH = `banner
  button "Language" [hasPopup menu]
  link "PO" (PO on DAY)
  textbox "Reply factory" = Hefei
  "1 order"
`;
const CHINESE = `banner
  button "语言" [hasPopup menu]
  link "PO" (DAY 的 PO)
  textbox "回复工厂" = Hefei
  "共 1 条"
`;

describe('a Chinese accessibility tree', () => {
  it('has the roles of the English tree and no untranslated words', () => {
    expect(rolesOf(CHINESE)).toEqual(rolesOf(ENGLISH));
    expect(untranslated(CHINESE)).toEqual([]);
  });

  it('has untranslated words if a name, a description or a text is English', () => {
    expect(untranslated(CHINESE.replace('语言', 'Language'))).toEqual(['Language']);
    expect(untranslated(CHINESE.replace('的 PO', 'from PO'))).toEqual(['from']);
    expect(untranslated(CHINESE.replace('共 1 条', '1 order'))).toEqual(['order']);
  });

  it.each([
    ['name', ' "语言"', ''],
    ['state', ' [hasPopup menu]', ''],
    ['value', ' = Hefei', ''],
    ['description', ' (DAY 的 PO)', ''],
    ['depth', '  "共', '"共'],
  ])('differs from the English tree if a %s is missing', (_what, present, instead) => {
    expect(rolesOf(CHINESE.replace(present, instead))).not.toEqual(rolesOf(ENGLISH));
  });
});
