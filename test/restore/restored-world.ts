import { chown, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { asRole } from '@po/testing/service-databases';
import { eventually } from '@po/testing/eventually';
import { SERVICES } from '../../deploy/local/stack/stack-file.js';
import { type Launch, launchFor } from '../../deploy/local/stores/embedded-postgres.js';
import { databaseOf } from '../faults/database.js';
import { rowsOf } from '../support/rows.js';
import { hasNoLag, waitForRecovery } from '../faults/recovery.js';
import { whileStopped } from '../faults/restart.js';
import type { World } from '../faults/world.js';
import { type Part, commandsOf, runCommands } from './runbook.js';

const WAIT = { timeoutMs: 180_000 };

/** PostgreSQL of a world, with a folder for its backups. */
export class BackedUpWorld {
  private constructor(
    private readonly world: World,
    private readonly programs: string,
    private readonly place: string,
    /** Starts a program as the user that PostgreSQL runs as. */
    private readonly asOwner: Launch,
  ) {}

  /** Enables the WAL archive as the runbook does. */
  static async open(world: World, programs: string): Promise<BackedUpWorld> {
    const data = dataOf(world);
    const place = join(world.dir, 'backup');
    await mkdir(place);
    // PostgreSQL's user creates other folders in these.
    const { uid, gid } = await stat(data);
    for (const folder of [place, dirname(data)]) await chown(folder, uid, gid);
    const backedUp = new BackedUpWorld(world, programs, place, await launchFor(dirname(data)));
    await backedUp.do('archive');
    await world.store('PostgreSQL').suspend('SIGINT');
    world.store('PostgreSQL').resume();
    await waitForRecovery(world);
    return backedUp;
  }

  /** Runs a part of the runbook; `restoreTo` is a time. */
  async do(part: Part, restoreTo = ''): Promise<string> {
    const { kafkaBrokers, redisUrl } = this.world.stack.file();
    const { hostname, port, username, password } = this.url;
    const variables = {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATA: this.data,
      RESTORE_TO: restoreTo,
      BASE: part === 'restore' ? await this.newestBaseBefore(restoreTo) : '',
      DATABASE_URL_INTERNAL: asRole(databaseOf(this.world, 'purchaseOrders'), 'po_internal'),
      KAFKA_BROKERS: kafkaBrokers,
      REDIS_URL: redisUrl,
    };
    const launch: Launch = part === 'repair' ? (command, args) => ({ command, args }) : this.asOwner;
    return runCommands(commandsOf(part, this.place), this.programs, variables, launch);
  }

  /** Current time of PostgreSQL, which separates earlier transactions from later ones. */
  async now(): Promise<string> {
    const [row] = await this.asAdmin<{ now: string }>('SELECT clock_timestamp()::text AS now');
    return row?.now ?? '';
  }

  /** Follows the runbook exactly, except for what process supervisors do. */
  restoreTo(time: string, groupSuffix: string, isTooLate: () => boolean): Promise<void> {
    return this.restore(time, groupSuffix, isTooLate, async () => {
      // SIGCONT has no effect. The supervisor waits until the runbook stops the process, and does not restart it.
      const [, unarchived] = await Promise.all([this.postgres.suspend('SIGCONT'), this.do('stop')]);
      if (unarchived !== '') throw new Error(`missing in the WAL archive: ${unarchived}`);
    });
  }

  /** Kills PostgreSQL, destroys its data and then restores it. */
  async restoreLost(time: string, groupSuffix: string, isTooLate: () => boolean): Promise<void> {
    await this.postgres.suspend('SIGQUIT');
    await rm(join(this.data, 'base'), { recursive: true });
    await this.restore(time, groupSuffix, isTooLate, () => Promise.resolve());
  }

  private async restore(
    time: string,
    groupSuffix: string,
    isTooLate: () => boolean,
    stopPostgres: () => Promise<void>,
  ): Promise<void> {
    const { world } = this;
    await whileStopped(world, ['gateway'], async () => {
      const others = SERVICES.filter((service) => service !== 'gateway');
      const restore = async () => {
        await eventually('the last commands have expired', isTooLate);
        await stopPostgres();
        await this.do('restore', time);
        this.postgres.resume();
        await eventually('PostgreSQL is restored', () => this.isOpen(), WAIT);
      };
      await whileStopped(world, others, restore, { KAFKA_GROUP_SUFFIX: groupSuffix });
      world.groupSuffix = groupSuffix;
      await eventually('every topic is read again', () => hasNoLag(world, groupSuffix), WAIT);
      await this.do('repair');
    });
    await this.do('base');
    await this.do('end');
    await waitForRecovery(world);
  }

  private async newestBaseBefore(time: string): Promise<string> {
    const endOf = (name: string) => name.replace(/^base-(.+T)(\d\d)(\d\d)(\d\dZ)$/, '$1$2:$3:$4');
    const bases = (await readdir(this.place)).filter((name) => Date.parse(endOf(name)) < Date.parse(time));
    return join(this.place, bases.toSorted().at(-1) ?? 'none');
  }

  private async isOpen(): Promise<boolean> {
    const [row] = await this.asAdmin<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
    return row?.recovering === false;
  }

  /** Rows of any database on the server. */
  rowsIn<Row extends pg.QueryResultRow>(database: string, sql: string): Promise<Row[]> {
    const url = this.url;
    url.pathname = `/${database}`;
    return rowsOf(url.href, sql);
  }

  private asAdmin<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    return this.rowsIn('postgres', sql);
  }

  private get url(): URL {
    return new URL(databaseOf(this.world, 'purchaseOrders'));
  }

  private get data(): string {
    return dataOf(this.world);
  }

  private get postgres() {
    return this.world.store('PostgreSQL');
  }
}

const dataOf = ({ dir }: World): string => join(dir, 'data', 'postgres');
