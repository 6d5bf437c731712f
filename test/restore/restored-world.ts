import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { asRole } from '@po/testing/service-databases';
import { eventually } from '@po/testing/eventually';
import { run } from '../../deploy/local/processes/run.js';
import { SERVICES } from '../../deploy/local/stack/stack-file.js';
import { databaseOf, rowsOf } from '../faults/database.js';
import { nothingLags, recovered } from '../faults/recovery.js';
import { whileStopped } from '../faults/restart.js';
import type { World } from '../faults/world.js';
import { type Part, commandsOf, runCommands } from './runbook.js';

const WAIT = { timeoutMs: 180_000 };

/** PostgreSQL of a world, with a place for its backups. */
export class BackedUp {
  private constructor(
    private readonly world: World,
    private readonly programs: string,
    private readonly place: string,
    /** The user that PostgreSQL runs as, by `chown`: another than root, where root runs this. */
    private readonly owner: string,
  ) {}

  /** Switches the archive on as the runbook does. */
  static async open(world: World, programs: string): Promise<BackedUp> {
    const { uid, gid } = await stat(dataOf(world));
    const backedUp = new BackedUp(world, programs, join(world.dir, 'backup'), `${uid}:${gid}`);
    await mkdir(join(backedUp.place, 'wal'), { recursive: true });
    await backedUp.giveAway(backedUp.place);
    const statements = commandsOf('archive', backedUp.place).split(';\n').filter(Boolean);
    for (const statement of statements) await backedUp.asAdmin(statement);
    await world.store('PostgreSQL').suspend('SIGINT');
    world.store('PostgreSQL').resume();
    await recovered(world);
    return backedUp;
  }

  /** Does a part of the runbook. */
  do(part: Part, restoreTo = ''): Promise<string> {
    const { kafkaBrokers, redisUrl } = this.world.stack.file();
    const { hostname, port, username, password } = this.url;
    return runCommands(commandsOf(part, this.place), this.programs, {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATA: this.data,
      RESTORE_TO: restoreTo,
      DATABASE_URL_INTERNAL: asRole(databaseOf(this.world, 'purchaseOrders'), 'po_internal'),
      KAFKA_BROKERS: kafkaBrokers,
      REDIS_URL: redisUrl,
    });
  }

  /** The present time, which ends the transactions until now from later ones. */
  async now(): Promise<string> {
    const [row] = await this.asAdmin<{ now: string }>('SELECT clock_timestamp()::text AS now');
    return row?.now ?? '';
  }

  /** Resolves when the archive has all that was written until now. */
  async archived(): Promise<void> {
    const [row] = await this.asAdmin<{ segment: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS segment');
    const segment = row?.segment ?? '';
    const isThere = () =>
      stat(join(this.place, 'wal', segment)).then(
        () => true,
        () => false,
      );
    await eventually(`${segment} is in the archive`, isThere, WAIT);
  }

  /** Destroys the data folder and does what the runbook says; nothing of it is left out, and nothing else is done. */
  async restoreTo(time: string, groupSuffix: string, isTooLate: () => boolean): Promise<void> {
    const { world } = this;
    const postgres = world.store('PostgreSQL');
    await postgres.suspend('SIGQUIT');
    await rm(join(this.data, 'base'), { recursive: true });
    await whileStopped(world, ['gateway'], async () => {
      const others = SERVICES.filter((service) => service !== 'gateway');
      const restore = async () => {
        await eventually('commands are too old', isTooLate);
        await this.do('restore', time);
        await this.giveAway(this.data);
        postgres.resume();
        await eventually('PostgreSQL is restored', () => this.isOpen(), WAIT);
      };
      await whileStopped(world, others, restore, { KAFKA_GROUP_SUFFIX: groupSuffix });
      world.groupSuffix = groupSuffix;
      await eventually('every topic is read again', () => nothingLags(world, groupSuffix), WAIT);
      await this.do('repair');
    });
    await recovered(world);
  }

  private async isOpen(): Promise<boolean> {
    const [row] = await this.asAdmin<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
    return row?.recovering === false;
  }

  /** Rows of another database than those of the services. */
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

  private giveAway(folder: string): Promise<unknown> {
    return run('chown', ['-R', this.owner, folder]);
  }
}

const dataOf = ({ dir }: World): string => join(dir, 'data', 'postgres');
