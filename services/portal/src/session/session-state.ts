export interface Profile {
  /** The same for all of this person's sessions. */
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

/** Whose pages are shown. */
interface Shown {
  profile: Profile;
  demoUsers: readonly DemoUser[];
  /** How many there have been. */
  tokens: number;
}

export type SessionState =
  /** The identity provider is asked silently, or the browser is on its way there. */
  | { phase: 'opening' }
  | ({ phase: 'open' } & Shown)
  /** Whose it was, where the page is still shown. `isOpenAtProvider`: there the user may still be signed in. */
  | ({ phase: 'ended'; why: Ending; isOpenAtProvider?: true } & Partial<Shown>)
  /** The identity provider or the gateway does not answer, or refuses. */
  | { phase: 'failed'; error: Error };

/** What tabs of one browser tell each other. */
export type Announcement = { kind: 'signed-out' } | { kind: 'signed-in'; id: string };

/** What an announcement of another tab means for this one. */
export function afterAnnouncement(state: SessionState, announcement: Announcement): SessionState {
  // Whose pages are shown, also those of a session that has expired.
  const profile = 'profile' in state ? state.profile : undefined;
  if (!profile) return state;
  if (announcement.kind === 'signed-out') return { phase: 'ended', why: 'signed-out' };
  return announcement.id === profile.id ? state : { phase: 'ended', why: 'other-user' };
}

/** Whether it tells that the user whose session has expired signed in again: the page, which is still shown, can go on. */
export const isReturn = (state: SessionState, announcement: Announcement): boolean =>
  state.phase === 'ended' && announcement.kind === 'signed-in' && announcement.id === state.profile?.id;
