import { createHash } from 'node:crypto';
import type { Locale } from '@po/contracts';

/** Confirmation requested; done; or invalid token. */
export type UnsubscribeState = 'confirm' | 'done' | 'unknown';

const TITLE: Record<Locale, string> = { en: 'E-mails about purchase orders', zh: '采购订单邮件' };
const TEXTS: Record<UnsubscribeState, Record<Locale, string>> = {
  confirm: {
    en: 'Stop e-mails of this kind? Notifications in the portal are not affected.',
    zh: '是否不再接收此类邮件？系统中的通知不受影响。',
  },
  done: {
    en: 'You will get no more e-mails of this kind. You can change this in the portal under “Preferences”.',
    zh: '您将不再收到此类邮件。可随时在系统的“偏好设置”中更改。',
  },
  unknown: {
    en: 'This link is incomplete or invalid. Open it again from the e-mail.',
    zh: '此链接不完整或无效，请从邮件中重新打开。',
  },
};
const BUTTON: Record<Locale, string> = { en: 'Stop e-mails of this kind', zh: '不再接收此类邮件' };

const STYLES =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.2rem}';

/** Lets a browser show the page and send its form to this origin. */
export const UNSUBSCRIBE_POLICY = `default-src 'none'; frame-ancestors 'none'; form-action 'self'; style-src 'sha256-${createHash(
  'sha256',
)
  .update(STYLES)
  .digest('base64')}'`;

/** The page in one language. The form is sent to the page's own address, which has the token. */
export function unsubscribePage(locale: Locale, state: UnsubscribeState): string {
  const form = state === 'confirm' ? `<form method="post"><button type="submit">${BUTTON[locale]}</button></form>` : '';
  return `<!doctype html><html lang="${locale === 'zh' ? 'zh-CN' : 'en'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${TITLE[locale]}</title><style>${STYLES}</style><h1>${TITLE[locale]}</h1><p>${TEXTS[state][locale]}</p>${form}</html>\n`;
}
