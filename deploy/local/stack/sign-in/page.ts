import { DEMO_USERS, type DemoUser, type DemoUserName } from '../../demo/users.js';
import { escapeHtml } from '../html.js';

const STYLE = `
  :root { color-scheme: light dark; font: 14px/20px -apple-system, "Segoe UI", Roboto, "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f7f8f9, #111317); }
  main { width: min(24rem, calc(100vw - 32px)); margin: 32px 0; }
  h1 { margin: 0 0 4px; font-size: 20px; line-height: 28px; font-weight: 600; }
  p { margin: 0 0 16px; color: light-dark(#5b626e, #a2a9b5); }
  ul { margin: 0; padding: 0; list-style: none; border: 1px solid light-dark(#e3e5e9, #2b3038); border-radius: 6px; overflow: hidden;
    background: light-dark(#fff, #17191e); }
  li + li { border-top: 1px solid light-dark(#e3e5e9, #2b3038); }
  a { display: flex; justify-content: space-between; gap: 12px; padding: 12px 16px; color: inherit; text-decoration: none; }
  b { font-weight: 500; }
  a:hover { background: light-dark(#f4f5f7, #1e2127); }
  a:focus-visible { outline: 2px solid #4353d0; outline-offset: -2px; }
  span { color: light-dark(#5b626e, #a2a9b5); }`;

/** Content security policy of the page, which allows only its own style element. */
export const pagePolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const page = (title: string, content: string, nonce: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`;

/** Page with all demo users, each as a link that continues the same request. */
export function signInPage(query: URLSearchParams, nonce: string): string {
  const linkOf = (user: DemoUserName): string => {
    const chosen = new URLSearchParams(query);
    chosen.delete('prompt');
    chosen.set('login_hint', user);
    return escapeHtml(`/authorize?${chosen.toString()}`);
  };
  const users = Object.entries(DEMO_USERS) as [DemoUserName, DemoUser][];
  const items = users.map(
    ([user, { name, role, vendor_code: vendor, locale }]) =>
      `<li><a href="${linkOf(user)}"><b lang="${locale}">${name}</b><span>${[role.toLowerCase(), vendor].filter(Boolean).join(', ')}</span></a></li>`,
  );
  const note = '<p>Demo identity provider: choose who you are. No password is needed.</p>';
  return page('Sign in', `${note}<ul>${items.join('')}</ul>`, nonce);
}

/** Page for a browser that cannot be redirected back. */
export const messagePage = (title: string, text: string, nonce: string): string =>
  page(escapeHtml(title), `<p>${escapeHtml(text)}</p>`, nonce);
