import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stores } from '../../deploy/local/stores/infrastructure.js';
import { type ClusterWorld, brokersOf, openClusterWorld } from '../cluster/world.js';
import { USERS, USER_NAMES, type UserName } from '../faults/users.js';
import { type Keycloak, passwordToken, startKeycloak } from '../keycloak/keycloak.js';

/** The workload's users sign in at a Keycloak of its own. */
export interface ChaosWorld extends ClusterWorld {
  keycloak: Keycloak;
  /** Gives every user another token. */
  renewTokens: () => Promise<void>;
  /** How often all users got another one. */
  renewals: () => number;
}

const PORTAL = 'https://orders.example.com';
/** Nobody signs in on a page of it here. */
const CLIENT = 'po-portal';
/** Half of the users have the typed client, as the portal has. */
const CLIENT_USERS: readonly UserName[] = ['acme', 'bolt', 'buyer', 'admin'];
/** When they are renewed they have more left than a restart of Keycloak on a busy machine takes, and a clock is wrong by. */
const TOKEN_LIFETIME_S = 180;
const RENEWED_AFTER_MS = 60_000;
const RENEWED_AGAIN_MS = 2_000;

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
  // One after another: its protection against guessing refuses two sign-ins of a user at the same time.
  const renewTokens = () => {
    renewed = renewed.then(renewAll, renewAll);
    return renewed;
  };
  const stopped = new AbortController();
  const renewing = async () => {
    for (let pauseMs = RENEWED_AFTER_MS; !stopped.signal.aborted;) {
      await delay(pauseMs, undefined, stopped).catch(() => undefined);
      pauseMs = await renewTokens().then(
        () => RENEWED_AFTER_MS,
        () => RENEWED_AGAIN_MS,
      );
    }
  };
  try {
    await letInByPassword(keycloak);
    await renewTokens();
    const everyStore = (stores: Stores): URL[] => [
      ...brokersOf(stores),
      new URL(stores.databaseUrl),
      new URL(stores.redisUrl),
      new URL(keycloak.jwksUrl),
    ];
    const identity = { ...keycloak, tokenOf: (user: UserName) => tokens.get(user) ?? '' };
    const world = await openClusterWorld(seed, everyStore, { identity, patient: CLIENT_USERS });
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

/** The realm that is shipped takes no passwords from the portal. Here its tokens, claims and all, are got without a browser. */
async function letInByPassword({ admin }: Keycloak): Promise<void> {
  await admin('PUT', '', { accessTokenLifespan: TOKEN_LIFETIME_S });
  const [client] = await admin<{ id: string }[]>('GET', `/clients?clientId=${CLIENT}`);
  await admin('PUT', `/clients/${client?.id}`, { ...client, directAccessGrantsEnabled: true });
}

/** As the realm's files have them, under the id that the oracle knows them by. */
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
