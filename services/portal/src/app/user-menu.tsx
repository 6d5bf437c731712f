import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconExternalLink, IconLogout, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMe } from '../api/api.js';
import { useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import { useSession } from '../session/session-context.js';
import { useSignOut } from './sign-out.js';
import { APP } from './texts.js';
import styles from '../theme/text.module.css';
import classes from './shell.module.css';

/** Third-party packages in the portal and their licenses, served beside the pages. */
const LICENCES = '/third-party-licences.txt';

/** First letters of the first and last name; for a Chinese name its first character, which is the family name. */
function initialsOf(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/);
  const last = others.at(-1) ?? '';
  const [one = '?'] = first;
  return /\p{Script=Han}/u.test(one) ? one : (one + (last[0] ?? '')).toUpperCase();
}

/** The signed-in user and sign-out; with the demo identity provider also a switch to other users. */
export function UserMenu() {
  const texts = useTexts(APP);
  const { newTab } = useTexts(TERMS);
  const session = useSession();
  const signOut = useSignOut();
  const me = useMe();
  const { state } = session;
  if (!('profile' in state) || !state.profile) return null;
  const { profile, demoUsers = [] } = state;
  const name = me?.name ?? profile.name ?? profile.id;
  const others = demoUsers.filter(({ sub }) => sub !== profile.id);
  const roleOf = (role: string, vendor?: string | null) =>
    [Object.hasOwn(texts.roles, role) ? texts.roles[role as keyof typeof texts.roles] : role, vendor]
      .filter(Boolean)
      .join(' · ');
  return (
    <Menu width={264}>
      <Menu.Target>
        <UnstyledButton className={classes.avatar} aria-label={texts.user(name)} data-initials={initialsOf(name)} />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <b>{name}</b>
          {me && <span>{roleOf(me.role, me.vendorName ?? me.vendorCode)}</span>}
        </div>
        {others.length > 0 && <Menu.Divider />}
        {others.length > 0 && <Menu.Label>{texts.switchUser}</Menu.Label>}
        {others.map((user) => (
          <Menu.Item
            key={user.login_hint}
            rightSection={<span className={classes.role}>{roleOf(user.role, user.vendor_code)}</span>}
            onClick={() => void session.signIn(user.login_hint)}
          >
            <span lang={user.locale}>{user.name}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/preferences" leftSection={<IconSettings size={14} aria-hidden />}>
          {texts.preferences}
        </Menu.Item>
        {me && me.role !== 'VENDOR' && (
          <Menu.Item component={Link} to="/approval-policies" leftSection={<IconCheck size={14} aria-hidden />}>
            {texts.policies}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={14} aria-hidden />} onClick={signOut}>
          {texts.signOut}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          component="a"
          href={LICENCES}
          target="_blank"
          rel="noopener"
          className={styles.quietSmall}
          rightSection={<IconExternalLink size={12} role="img" aria-label={newTab} />}
        >
          {texts.licenses}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
