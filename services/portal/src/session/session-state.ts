export interface Profile {
  /** The same in all sessions of a user. */
  id: string;
  name: string | undefined;
  locale: string | undefined;
}

export interface DemoUser {
  login_hint: string;
  sub: string;
  name: string;
  role: string;
  vendor_code?: string;
  locale: string;
}

export type Ending = 'signed-out' | 'expired' | 'other-user';

/** The user whose pages are shown. */
interface Shown {
  profile: Profile;
  demoUsers: readonly DemoUser[];
  /** Number of tokens so far. */
  tokens: number;
}

export type SessionState =
  /** A silent sign-in is running, or the browser is being redirected to the identity provider. */
  | { phase: 'opening' }
  | ({ phase: 'open' } & Shown)
  /** With the user, if the page is still shown. `isOpenAtProvider`: the user may still be signed in at the identity provider. */
  | ({ phase: 'ended'; why: Ending; isOpenAtProvider?: true } & Partial<Shown>)
  /** The identity provider or the gateway did not answer or refused. */
  | { phase: 'failed'; error: Error };

/** Messages between the tabs of a browser. */
export type Announcement = { kind: 'signed-out' } | { kind: 'signed-in'; id: string };

/** The state of this tab after an announcement of another tab. */
export function afterAnnouncement(state: SessionState, announcement: Announcement): SessionState {
  // An expired session still shows its user's pages.
  const profile = 'profile' in state ? state.profile : undefined;
  if (!profile) return state;
  if (announcement.kind === 'signed-out') return { phase: 'ended', why: 'signed-out' };
  return announcement.id === profile.id ? state : { phase: 'ended', why: 'other-user' };
}

/** Whether the user of an expired session signed in again in another tab, so that the page, which is still shown, can continue. */
export const isReturn = (state: SessionState, announcement: Announcement): boolean =>
  state.phase === 'ended' && announcement.kind === 'signed-in' && announcement.id === state.profile?.id;
