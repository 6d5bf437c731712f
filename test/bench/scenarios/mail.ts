import { eventually } from '@po/testing/eventually';
import { MailServer } from '@po/testing/mail-server';
import { progress, stopAtEnd } from '../lifetime.js';
import { closedLoop, effectsOf, type Write, writeAtRate } from '../load/loops.js';
import { loadsOf } from '../load/requests.js';
import { type Batch, LOADED_ORDERS, announce, importAll, poNumber, sendAll, smallOrders } from '../orders.js';
import { type OptionsOf, wholeNumber } from '../options.js';
import type { Report } from '../report.js';
import { BenchStack } from '../stack.js';
import { measureCpu } from '../usage.js';

/** Minimum delay that the service accepts, longer than the imports and transitions that should share one mail. */
const GROUP_S = { least: 1, all: 30 };
const IMPORTS = 1_000;
const TRANSITIONS = 200;
/** Users of the vendor whose imported orders are grouped. */
const COLLEAGUES = 3;
const SENT_MS = 5 * 60_000;

/** `--users` each get one mail; then `--rate` transitions per second cause one mail each. */
export const OPTIONS = {
  users: wholeNumber(2_000, 2, 20_000),
  rate: wholeNumber(10, 1, 20),
  seconds: wholeNumber(30, 1, 600),
};

/** Times at which the mail server accepted mails, by address. */
type Accepted = Map<string, number[]>;

/** Mails per second of one replica and their CPU, their delay, and the number of mails for many changes. */
export async function measure({ users, rate, seconds }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const accepted: Accepted = new Map();
  const server = await MailServer.start({
    received: ({ to: [address = ''] }) =>
      void accepted.set(address, [...(accepted.get(address) ?? []), performance.now()]),
  });
  stopAtEnd(() => server.stop());
  const stack = await BenchStack.start();
  const restart = (groupSeconds: number) =>
    stack.restart({
      SMTP_URL: server.url,
      MAIL_DEFAULT_TRANSITION: 'now',
      MAIL_RATE_PER_SECOND: '1000',
      MAIL_GROUP_SECONDS: String(groupSeconds),
    });
  await restart(GROUP_S.least);
  const transitions = loadsOf(stack.file).transition;
  progress('import orders, each of a buyer of its own');
  const buyers = Array.from({ length: LOADED_ORDERS }, (_, index) => buyerOf(poNumber(index)));
  await announce(stack, await Promise.all(buyers.map((email) => stack.token('buyer', { sub: email, email }))));
  await importAll(
    stack,
    withFields(smallOrders(0, LOADED_ORDERS), (number) => ({ buyer: { name: 'B', email: buyerOf(number) } })),
  );
  await allSent(stack);

  progress(`announce ${users} users of one vendor`);
  await announce(stack, await vendorTokens(stack, 'CROWD', users));
  const { mail, notifications } = stack.file.pids;
  accepted.clear();
  progress(`import the order that they get a mail about`);
  const { cpuMs, idleCpu } = await measureCpu({ mail, notifications, ...stack.others.stores }, async () => {
    await importAll(stack, ofVendor('CROWD', LOADED_ORDERS, 1));
    await allSent(stack);
  });
  const times = [...accepted.values()].flat().toSorted((a, b) => a - b);
  const sendingS = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const aMail = Object.fromEntries(Object.entries(cpuMs).map(([name, cpu]) => [`${name} CPU`, cpu / times.length]));

  progress(`${rate} transitions a second for ${seconds} s`);
  accepted.clear();
  const { writes, errors } = await writeAtRate<unknown>(stack.url, { perSecond: rate, seconds }, transitions);
  await allSent(stack);
  const mailedAt = ({ poNumber: number, answeredAt }: Write<unknown>) => [
    accepted.get(buyerOf(number))?.find((at) => at > answeredAt),
  ];
  const delays = effectsOf(writes, mailedAt);
  const group = 1000 * GROUP_S.least;
  const withoutGroup = { p50: delays.p50 - group, p95: delays.p95 - group, p99: delays.p99 - group };

  await restart(GROUP_S.all);
  await announce(stack, await vendorTokens(stack, 'FEW', COLLEAGUES));
  const grouped = async (what: string, count: number, work: () => Promise<unknown>) => {
    progress(what);
    accepted.clear();
    await work();
    await allSent(stack);
    const mails = [...accepted.values()].flat().length;
    return { what, notifications: count, users: accepted.size, mails, 'mails a user': mails / accepted.size };
  };
  const groups = [
    await grouped(`${IMPORTS} imported orders`, IMPORTS * COLLEAGUES, () =>
      sendAll(stack, ofVendor('FEW', 2 * LOADED_ORDERS, IMPORTS)),
    ),
    await grouped(`${TRANSITIONS} transitions`, TRANSITIONS, () =>
      closedLoop({ urls: [stack.url], connections: 1, times: TRANSITIONS }, transitions),
    ),
  ];
  return {
    tables: [
      {
        title:
          'Mails that are due at the same time: a second, and CPU milliseconds a mail, from the record that is queued on',
        rows: [{ mails: times.length, 'a second': times.length / sendingS, ...aMail, 'idle %': 100 * idleCpu }],
      },
      {
        title: `${rate} transitions a second: ms from the 2xx until the mail server has accepted the mail`,
        rows: [
          { what: `with the group's ${GROUP_S.least} s`, ...delays },
          { what: 'without', ...withoutGroup },
        ],
      },
      { title: `Mails by groups of ${GROUP_S.all} s`, rows: groups },
    ],
    notes: [`Transitions that failed: ${errors}`],
  };
}

const buyerOf = (number: string): string => `${number.toLowerCase()}@buyer.example`;

const vendorTokens = (stack: BenchStack, vendor: string, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => stack.vendorToken(vendor, `${vendor.toLowerCase()}-${index}`)),
  );

const withFields = ({ count, orderAt }: Batch, fieldsOf: (poNumber: string) => object): Batch => ({
  count,
  orderAt: (index) => ({ ...orderAt(index), ...fieldsOf(orderAt(index).poNumber) }),
});

const ofVendor = (code: string, first: number, count: number): Batch =>
  withFields(smallOrders(first, count), () => ({ vendor: { code, name: code } }));

/** Resolves when every notification is queued and every mail is sent or expired. */
async function allSent(stack: BenchStack): Promise<void> {
  await stack.settled();
  const noneWaits = async () =>
    (await stack.mails.query('SELECT FROM mails WHERE done_at IS NULL LIMIT 1')).rowCount === 0;
  await eventually('no mail waits', noneWaits, { timeoutMs: SENT_MS });
}
