import {
  ErrorResponse,
  ErrorTimeout,
  InMemoryWebStorage,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { endChoice } from '../language/language.js';
import {
  type Announcement,
  type DemoUser,
  type Ending,
  type Profile,
  type SessionState,
  afterAnnouncement,
  isReturn,
} from './session-state.js';

const SIGNED_IN = '/signed-in';
const SIGNED_OUT = '/signed-out';
/** A provider that is slower, or that lets nobody frame it, is gone to. */
const SILENT_TIMEOUT_S = 8;
/** What a provider says whom only the user can help; anything else may pass. */
const OVER = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  'invalid_grant',
  'access_denied',
  'unauthorized_client',
]);

/** In `localStorage`, while the provider may still know the user who has signed out: the next one is asked who it is. */
const ASK = 'po.ask';
/** In `sessionStorage`, whose session this tab has: a provider that answers nobody silently is gone to with each reload. */
const OPEN = 'po.open';

/**
 * The user's session. Tokens are in this page's memory alone; what a sign-in that is under way needs, and whose session it is, is in
 * the tab's session storage. They are renewed silently before they end, and all tabs of the browser are signed out together.
 */
export class Session {
  state: SessionState = { phase: 'opening' };
  private readonly listeners = new Set<() => void>();
  private readonly channel = new BroadcastChannel('po.session');
  private manager: UserManager | null = null;
  private user: User | null = null;
  private renewal: Promise<string> | null = null;
  /** How often the provider did not answer since the last token. */
  private silences = 0;

  constructor() {
    this.channel.addEventListener('message', ({ data }: MessageEvent<Announcement>) => {
      const next = afterAnnouncement(this.state, data);
      if (next.phase === 'ended' && next !== this.state) this.end(next.why);
      // A token that comes of it is accepted; where none does, the page stays as it is.
      if (isReturn(this.state, data)) this.manager?.signinSilent().catch(() => undefined);
    });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Finds out who is signed in; where nobody is, the browser goes to the identity provider and comes back to this page. */
  async open(): Promise<void> {
    this.become({ phase: 'opening' });
    try {
      if (location.pathname === SIGNED_OUT) {
        sessionStorage.clear();
        return this.become({ phase: 'ended', why: 'signed-out', ...(mustAsk() && { isOpenAtProvider: true }) });
      }
      this.manager ??= await this.connect();
      if (location.pathname === SIGNED_IN) await this.comeBack(this.manager);
      else await this.openSilently(this.manager);
    } catch (error) {
      this.become({ phase: 'failed', error: error as Error });
    }
  }

  /** A token of this user that is good for now. Rejects when the user's session is over, whoever has signed in meanwhile. */
  async token(id: string): Promise<string> {
    this.requireOpen(id);
    if (this.user && this.user.expired !== true) return this.user.access_token;
    return this.renew(id);
  }

  /** The next token; all who ask meanwhile share it. Rejects, and the session is over, where only the user can get another one. */
  async renew(id: string): Promise<string> {
    this.requireOpen(id);
    this.renewal ??= this.renewSilently().finally(() => {
      this.renewal = null;
    });
    return this.renewal;
  }

  /** Goes to the identity provider, and comes back to this page. `demoUser`: as whom, without being asked again. */
  async signIn(demoUser?: string): Promise<void> {
    // With two slashes in front it would be an address of another origin, which a page cannot take for its own.
    const page = [SIGNED_IN, SIGNED_OUT].includes(location.pathname)
      ? '/'
      : location.href.slice(location.origin.length).replace(/^\/{2,}/, '/');
    try {
      this.manager ??= await this.connect();
      await this.manager.signinRedirect({
        state: page,
        ...(demoUser !== undefined && { login_hint: demoUser }),
        ...((demoUser !== undefined || mustAsk()) && { prompt: 'login' }),
      });
    } catch (error) {
      this.become({ phase: 'failed', error: error as Error });
    }
  }

  /** Signs out here, in all tabs and at the identity provider. */
  async signOut(): Promise<void> {
    this.channel.postMessage({ kind: 'signed-out' } satisfies Announcement);
    const hint = this.user?.id_token;
    const leave = this.manager?.signoutRedirect(hint === undefined ? {} : { id_token_hint: hint });
    await (leave ?? Promise.reject(new Error('not signed in'))).catch(() => {
      // As a provider without an `end_session_endpoint` (OpenID Connect RP-Initiated Logout).
      location.assign(SIGNED_OUT);
      // Last, as a browser without room refuses it.
      localStorage.setItem(ASK, 'true');
    });
  }

  private async connect(): Promise<UserManager> {
    const { authority, clientId, scope } = await readConfiguration();
    const manager = new UserManager({
      authority,
      client_id: clientId,
      scope,
      response_type: 'code',
      redirect_uri: location.origin + SIGNED_IN,
      silent_redirect_uri: `${location.origin}${SIGNED_IN}/silently`,
      post_logout_redirect_uri: location.origin + SIGNED_OUT,
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
      // The library would repeat a renewal that times out every five seconds, for ever.
      automaticSilentRenew: false,
      validateSubOnSilentRenew: false,
      silentRequestTimeoutInSeconds: SILENT_TIMEOUT_S,
    });
    manager.events.addUserLoaded((user) => this.accept(user));
    manager.events.addAccessTokenExpiring(() => this.renewAhead());
    manager.events.addAccessTokenExpired(() => this.renewAhead());
    await manager.metadataService.getMetadata();
    return manager;
  }

  private async openSilently(manager: UserManager): Promise<void> {
    if (mustAsk()) return this.signIn();
    const user = await manager.signinSilent().catch((error: unknown) => {
      if (error instanceof ErrorResponse || error instanceof ErrorTimeout) return null;
      throw error;
    });
    if (user) await this.begin(manager, user);
    else await this.signIn();
  }

  private async comeBack(manager: UserManager): Promise<void> {
    const user = await manager.signinRedirectCallback().catch((error: unknown) => {
      // What the provider says is shown; an address that was opened twice, or by the back button, begins anew.
      if (error instanceof ErrorResponse) throw error;
      return null;
    });
    history.replaceState(null, '', typeof user?.state === 'string' ? user.state : '/');
    if (user) localStorage.removeItem(ASK);
    if (user && sessionStorage.getItem(OPEN) !== user.profile.sub) endChoice(user.profile.sub);
    if (user) await this.begin(manager, user);
    else await this.openSilently(manager);
  }

  private async begin(manager: UserManager, user: User): Promise<void> {
    this.user = user;
    const { demo_users: demoUsers = [] } = (await manager.metadataService.getMetadata()) as { demo_users?: DemoUser[] };
    const profile: Profile = { id: user.profile.sub, name: user.profile.name, locale: user.profile.locale };
    sessionStorage.setItem(OPEN, profile.id);
    this.channel.postMessage({ kind: 'signed-in', id: profile.id } satisfies Announcement);
    this.become({ phase: 'open', profile, demoUsers, tokens: 1 });
  }

  private renewAhead(): void {
    if (this.state.phase === 'open') void this.renew(this.state.profile.id).catch(() => undefined);
  }

  private async renewSilently(): Promise<string> {
    try {
      await this.manager?.signinSilent();
    } catch (error) {
      const isFirstSilence = error instanceof ErrorTimeout && (this.silences += 1) === 1;
      // When a laptop wakes up, the browser says that there is a connection before there is one.
      if (isFirstSilence && this.user?.expired === true) return this.renewSilently();
      this.endIfOver(error as Error);
      throw error;
    }
    if (!this.user) throw new Error('no user is signed in');
    return this.user.access_token;
  }

  /**
   * A renewed token, also of a session that had expired. Whoever signed in as somebody else meanwhile does not go on with this person's
   * pages, nor with what they still ask.
   */
  private accept(user: User): void {
    if (!('profile' in this.state) || !this.state.profile) return;
    const { profile, demoUsers = [], tokens = 0 } = this.state;
    if (profile.id !== user.profile.sub) return this.end('other-user');
    this.user = user;
    this.silences = 0;
    this.become({ phase: 'open', profile, demoUsers, tokens: tokens + 1 });
  }

  private requireOpen(id: string): void {
    if (this.state.phase !== 'open' || this.state.profile.id !== id) throw new Error('the session has ended');
  }

  private endIfOver(error: Error): void {
    if (this.state.phase !== 'open') return;
    // A provider that forbids frames never answers. Without a connection nobody does, and the session may go on.
    const isUnanswered = error instanceof ErrorTimeout && this.user?.expired === true && navigator.onLine;
    if (isUnanswered || (error instanceof ErrorResponse && OVER.has(error.error ?? ''))) this.end('expired');
  }

  private end(why: Ending): void {
    const shown = this.state.phase === 'open' && why === 'expired' ? this.state : null;
    this.user = null;
    sessionStorage.removeItem(OPEN);
    void this.manager?.removeUser();
    this.become({ ...shown, phase: 'ended', why });
  }

  private become(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

const mustAsk = (): boolean => localStorage.getItem(ASK) !== null;

/** Asks the gateway what to sign in with. Rejects where it does not answer, or not with a configuration. */
async function readConfiguration() {
  const response = await fetch('/portal.json');
  if (!response.ok) throw new Error(`/portal.json answered ${response.status}`);
  return (await response.json()) as { authority: string; clientId: string; scope: string };
}
