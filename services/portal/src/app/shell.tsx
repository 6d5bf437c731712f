import { ActionIcon, UnstyledButton } from '@mantine/core';
import { useDidUpdate, useHotkeys, useNetwork } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { useTexts } from '../language/language.js';
import { Bell } from '../notifications/bell.js';
import { TouchTooltip } from '../components/touch-tooltip.js';
import { AsyncBoundary, OfflineBanner } from '../components/loading-and-errors/states.js';
import { LanguageMenu } from './language-menu.js';
import { Product } from './shell-skeleton.js';
import { APP } from './texts.js';
import { ThemeMenu } from './theme-menu.js';
import { UserMenu } from './user-menu.js';
import classes from './shell.module.css';
import { useLive } from '../api/live/live.js';

const OrderSearch = lazy(() => import('./order-search.js'));

export function Shell() {
  const texts = useTexts(APP);
  /** How often the search was opened; 0 means that its files are not needed yet. */
  const [searches, setSearches] = useState(0);
  const search = () => setSearches((count) => count + 1);
  useHotkeys([['mod+K', search]], []);
  useFocusOnNewPage();
  return (
    <>
      <a href="#content" className={classes.skip}>
        {texts.skip}
      </a>
      <header className={classes.header}>
        <Product />
        <nav className={classes.navigation} aria-label={texts.navigation}>
          <Link to="/orders">{texts.orders}</Link>
          <Link to="/dashboard">{texts.dashboard}</Link>
          <Link to="/import">{texts.import}</Link>
        </nav>
        <div className={classes.tools}>
          <UnstyledButton className={classes.search} onClick={search}>
            <IconSearch size={14} aria-hidden />
            {texts.search}
            <kbd className={classes.key}>{texts.searchKey}</kbd>
          </UnstyledButton>
          <ActionIcon className={classes.narrowSearch} aria-label={texts.search} onClick={search}>
            <IconSearch size={16} aria-hidden />
          </ActionIcon>
          <LiveIndicator />
          <Bell />
          <LanguageMenu />
          <ThemeMenu />
          <UserMenu />
        </div>
      </header>
      <OfflineBanner />
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
      {searches > 0 && (
        <AsyncBoundary>
          <OrderSearch openings={searches} />
        </AsyncBoundary>
      )}
    </>
  );
}

/** Moves the focus to the start of a new page, for keyboard and screen-reader users. */
function useFocusOnNewPage() {
  const { pathname } = useLocation();
  useDidUpdate(() => document.getElementById('content')?.focus({ preventScroll: true }), [pathname]);
}

/** Shows whether changes by others appear automatically. */
function LiveIndicator() {
  const { live } = useTexts(APP);
  const { connected } = useLive();
  // The browser reports a lost connection at once, the stream only after some seconds.
  const { online } = useNetwork();
  const state = !online ? 'away' : connected === null ? 'wait' : connected ? 'on' : 'off';
  return (
    <TouchTooltip label={live.note}>
      <span className={classes.live} role="status" aria-label={live[state]} data-testid="live">
        <span className={classes.liveDot} data-live={state} />
        <span className={classes.liveText}>{live[state]}</span>
      </span>
    </TouchTooltip>
  );
}
