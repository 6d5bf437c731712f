import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stores } from '../../deploy/local/stores/infrastructure.js';
import { type ClusterWorld, brokersOf, openClusterWorld } from '../cluster/world.js';
import { USERS, USER_NAMES, type UserName } from '../faults/users.js';
import { type Keycloak, passwordToken, startKeycloak } from '../keycloak/keycloak.js';

/** A cluster world whose users sign in at its own Keycloak. */
export interface ChaosWorld extends ClusterWorld {
  keycloak: Keycloak;
  /** Renews the token of every user. */
  renewTokens: () => Promise<void>;
  /** How often the tokens of all users have been renewed. */
  renewals: () => number;
}

const PORTAL = 'https://orders.example.com';
/** Client that requests the tokens; no test opens its sign-in page. */
const CLIENT = 'po-portal';
/** Half of the users use the typed client, as the portal does. */
const CLIENT_USERS: readonly UserName[] = ['acme', 'bolt', 'buyer', 'admin'];
/** The lifetime left at a renewal exceeds a restart of Keycloak on a busy machine, and the error of a wrong clock. */
const TOKEN_LIFETIME_S = 180;
const RENEWAL_INTERVAL_MS = 60_000;
const RENEWAL_RETRY_MS = 2_000;

export async function openChaosWorld(seed: number, dir: string): Promise<ChaosWorld> {
  const password = randomUUID();
  const keycloak = await startKeycloak(PORTAL, {
    folder: dir,
    users: USER_NAMES.map((name) => userOf(name, password)),
  });
  const tokens = new Map<UserName, string>();
  let renewals = 0;
  let renewed: Promise<void> = Promise.resolve();
  const renewAll = async () => {
    const renew = async (username: UserName) =>
      tokens.set(username, await passwordToken(keycloak.authority, CLIENT, { username, password }));
    await Promise.all(USER_NAMES.map(renew));
    renewals += 1;
  };
  // One renewal at a time, because Keycloak's brute-force protection refuses concurrent sign-ins of one user.
  const renewTokens = () => {
    renewed = renewed.then(renewAll, renewAll);
    return renewed;
  };
  const stopped = new AbortController();
  const renewing = async () => {
    for (let pauseMs = RENEWAL_INTERVAL_MS; !stopped.signal.aborted;) {
      await delay(pauseMs, undefined, stopped).catch(() => undefined);
      pauseMs = await renewTokens().then(
        () => RENEWAL_INTERVAL_MS,
        () => RENEWAL_RETRY_MS,
      );
    }
  };
  try {
    await allowPasswordGrant(keycloak);
    await renewTokens();
    const everyStore = (stores: Stores): URL[] => [
      ...brokersOf(stores),
      new URL(stores.databaseUrl),
      new URL(stores.redisUrl),
      new URL(keycloak.jwksUrl),
    ];
    const identity = { ...keycloak, tokenOf: (user: UserName) => tokens.get(user) ?? '' };
    const world = await openClusterWorld(seed, everyStore, { identity, retryingUsers: CLIENT_USERS });
    const { close: closeWorld } = world;
    const ended = renewing();
    const close = async () => {
      stopped.abort();
      await closeWorld();
      await ended;
      await keycloak.stop();
    };
    return Object.assign(world, { keycloak, renewTokens, renewals: () => renewals, close });
  } catch (error) {
    await keycloak.stop();
    throw error;
  }
}

/** Enables the password grant, which the shipped realm denies to the portal, to get the portal's tokens without a browser. */
async function allowPasswordGrant({ admin }: Keycloak): Promise<void> {
  await admin('PUT', '', { accessTokenLifespan: TOKEN_LIFETIME_S });
  const [client] = await admin<{ id: string }[]>('GET', `/clients?clientId=${CLIENT}`);
  await admin('PUT', `/clients/${client?.id}`, { ...client, directAccessGrantsEnabled: true });
}

/** A user in the format of the realm files, with the id that the oracle uses. */
function userOf(username: UserName, password: string): object {
  const { sub: id, email, name, role, ...others } = USERS[username];
  const [firstName, lastName] = name.split(' ');
  return {
    ...{ id, username, email, firstName, lastName, enabled: true },
    realmRoles: [role],
    attributes: 'vendor_code' in others ? { vendor_code: [others.vendor_code] } : {},
    credentials: [{ type: 'password', value: password }],
  };
}
