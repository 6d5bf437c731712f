import {
  ErrorResponse,
  ErrorTimeout,
  InMemoryWebStorage,
  State,
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
/** Time for an answer of the provider. When the portal opens, the browser is redirected to one that is slower or forbids frames. */
const SILENT_TIMEOUT_S = 8;
/** Errors of a provider that only the user can resolve. All other errors may be temporary. */
const FINAL_ERRORS = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  'invalid_grant',
  'access_denied',
  'unauthorized_client',
]);

/** `localStorage` key, set while the provider may still know a user who signed out: the next sign-in must prompt for an account. */
const ASK_KEY = 'po.ask';
/** `sessionStorage` key for the user of this tab. Distinguishes a new sign-in from a reload that had to redirect to the provider. */
const OPEN_KEY = 'po.open';

/**
 * The user's session. Tokens stay in the memory of the page; only the state of a pending sign-in and the user's id are in session storage.
 * Tokens are renewed silently before they expire, and a sign-out applies to all tabs of the browser.
 */
export class Session {
  state: SessionState = { phase: 'opening' };
  private readonly listeners = new Set<() => void>();
  private channel: BroadcastChannel | null = null;
  private manager: UserManager | null = null;
  private user: User | null = null;
  private renewal: Promise<string> | null = null;
  /** Number of timeouts since the last token, or since the provider could not be reached. */
  private timeouts = 0;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Determines the signed-in user. If there is none, redirects to the identity provider, which returns to this page. */
  async open(): Promise<void> {
    this.setState({ phase: 'opening' });
    try {
      this.channel ??= this.listen();
      if (location.pathname === SIGNED_OUT) {
        sessionStorage.clear();
        return this.setState({ phase: 'ended', why: 'signed-out', ...(mustPrompt() && { isOpenAtProvider: true }) });
      }
      this.manager ??= await this.connect();
      if (location.pathname === SIGNED_IN) await this.handleRedirect(this.manager);
      else await this.openSilently(this.manager);
    } catch (error) {
      this.setState({ phase: 'failed', error: error as Error });
    }
  }

  /** A valid token of this user. Rejects if the user's session is over, even if another user has signed in since. */
  async token(id: string): Promise<string> {
    this.requireOpen(id);
    if (this.user && this.user.expired !== true) return this.user.access_token;
    return this.renew(id);
  }

  /** Requests a new token; concurrent callers share it. If only the user can get one, rejects and ends the session. */
  async renew(id: string): Promise<string> {
    this.requireOpen(id);
    this.renewal ??= this.renewSilently().finally(() => {
      this.renewal = null;
    });
    return this.renewal;
  }

  /** Redirects to the identity provider, which returns to this page. `demoUser`: signs in as this demo user without asking. */
  async signIn(demoUser?: string): Promise<void> {
    // Two leading slashes would mean another origin, which `history.replaceState` refuses.
    const page = [SIGNED_IN, SIGNED_OUT].includes(location.pathname)
      ? '/'
      : location.href.slice(location.origin.length).replace(/^\/{2,}/, '/');
    try {
      this.manager ??= await this.connect();
      await this.manager.signinRedirect({
        state: page,
        // Otherwise, "back" would lead to the page that redirects, and from there here again.
        redirectMethod: 'replace',
        ...(demoUser !== undefined && { login_hint: demoUser }),
        ...((demoUser !== undefined || mustPrompt()) && { prompt: 'login' }),
      });
    } catch (error) {
      this.setState({ phase: 'failed', error: error as Error });
    }
  }

  /** Signs out here, in all tabs and at the identity provider. */
  async signOut(): Promise<void> {
    this.channel?.postMessage({ kind: 'signed-out' } satisfies Announcement);
    const hint = this.user?.id_token;
    const leave = this.manager?.signoutRedirect(hint === undefined ? {} : { id_token_hint: hint });
    await (leave ?? Promise.reject(new Error('not signed in'))).catch(() => {
      // A provider may lack an `end_session_endpoint` (OpenID Connect RP-Initiated Logout).
      location.assign(SIGNED_OUT);
      // Last, because it throws if the storage is full.
      localStorage.setItem(ASK_KEY, 'true');
    });
  }

  /** Follows the sessions of other tabs. Throws in a browser that forbids storage. */
  private listen(): BroadcastChannel {
    const channel = new BroadcastChannel('po.session');
    channel.addEventListener('message', ({ data }: MessageEvent<Announcement>) => {
      const next = afterAnnouncement(this.state, data);
      if (next.phase === 'ended' && next !== this.state) this.end(next.why);
      // If this yields a token, `accept` takes it; otherwise the page stays as it is.
      if (isReturn(this.state, data)) this.manager?.signinSilent().catch(() => undefined);
    });
    return channel;
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
      // The library would repeat a renewal that timed out every five seconds, forever.
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
    if (mustPrompt()) return this.signIn();
    const user = await manager.signinSilent().catch((error: unknown) => {
      if (error instanceof ErrorResponse || error instanceof ErrorTimeout) return null;
      throw error;
    });
    if (user) await this.begin(manager, user);
    else await this.signIn();
  }

  private async handleRedirect(manager: UserManager): Promise<void> {
    const { href } = location;
    const stored = await manager.settings.stateStore.get(new URL(href).searchParams.get('state') ?? '');
    const { data: page } = stored === null ? {} : await State.fromStorageString(stored);
    // Before the token request, so that a retry after its failure leads to the page too.
    history.replaceState(null, '', typeof page === 'string' ? page : '/');
    // A URL that was opened twice, or by the back button, starts a new sign-in.
    if (stored === null) return this.openSilently(manager);
    const user = await manager.signinRedirectCallback(href);
    localStorage.removeItem(ASK_KEY);
    if (sessionStorage.getItem(OPEN_KEY) !== user.profile.sub) endChoice(user.profile.sub);
    await this.begin(manager, user);
  }

  private async begin(manager: UserManager, user: User): Promise<void> {
    this.user = user;
    const { demo_users: demoUsers = [] } = (await manager.metadataService.getMetadata()) as { demo_users?: DemoUser[] };
    const profile: Profile = { id: user.profile.sub, name: user.profile.name, locale: user.profile.locale };
    sessionStorage.setItem(OPEN_KEY, profile.id);
    this.channel?.postMessage({ kind: 'signed-in', id: profile.id } satisfies Announcement);
    this.setState({ phase: 'open', profile, demoUsers, tokens: 1 });
  }

  private renewAhead(): void {
    if (this.state.phase === 'open') void this.renew(this.state.profile.id).catch(() => undefined);
  }

  private async renewSilently(): Promise<string> {
    try {
      await this.manager?.signinSilent();
    } catch (error) {
      if (error instanceof ErrorTimeout) this.timeouts = (await this.isReachable()) ? this.timeouts + 1 : 0;
      // When a laptop wakes up, or the provider has restarted, the connection may be newer than the request.
      if (error instanceof ErrorTimeout && this.timeouts === 1 && this.user?.expired === true)
        return this.renewSilently();
      this.endIfOver(error as Error);
      throw error;
    }
    if (!this.user) throw new Error('no user is signed in');
    return this.user.access_token;
  }

  /**
   * Takes over a renewed token, even for an expired session. If another user has signed in in the meantime, the session ends, so that the
   * new user gets neither this user's pages nor answers to their requests.
   */
  private accept(user: User): void {
    if (!('profile' in this.state) || !this.state.profile) return;
    const { profile, demoUsers = [], tokens = 0 } = this.state;
    if (profile.id !== user.profile.sub) return this.end('other-user');
    this.user = user;
    this.timeouts = 0;
    this.setState({ phase: 'open', profile, demoUsers, tokens: tokens + 1 });
  }

  private requireOpen(id: string): void {
    if (this.state.phase !== 'open' || this.state.profile.id !== id) throw new Error('the session has ended');
  }

  private endIfOver(error: Error): void {
    if (this.state.phase !== 'open') return;
    // A provider that forbids frames never answers. One that cannot be reached may answer later.
    const isUnanswered = error instanceof ErrorTimeout && this.user?.expired === true && this.timeouts > 1;
    if (isUnanswered || (error instanceof ErrorResponse && FINAL_ERRORS.has(error.error ?? ''))) this.end('expired');
  }

  /** Whether the provider can be read now. `connect` could read the same address; an error may come from a proxy. */
  private async isReachable(): Promise<boolean> {
    const signal = AbortSignal.timeout(SILENT_TIMEOUT_S * 1000);
    const url = this.manager?.settings.metadataUrl;
    const answer = url === undefined ? null : await fetch(url, { cache: 'no-store', signal }).catch(() => null);
    return answer?.ok === true;
  }

  private end(why: Ending): void {
    const shown = this.state.phase === 'open' && why === 'expired' ? this.state : null;
    this.user = null;
    sessionStorage.removeItem(OPEN_KEY);
    void this.manager?.removeUser();
    this.setState({ ...shown, phase: 'ended', why });
  }

  private setState(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

const mustPrompt = (): boolean => localStorage.getItem(ASK_KEY) !== null;

/** Reads the sign-in configuration from the gateway. Rejects if the gateway does not answer or has none. */
async function readConfiguration() {
  const response = await fetch('/portal.json');
  if (!response.ok) throw new Error(`/portal.json answered ${response.status}`);
  return (await response.json()) as { authority: string; clientId: string; scope: string };
}
