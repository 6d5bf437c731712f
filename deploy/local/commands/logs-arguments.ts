import { parseArgs } from 'node:util';
import { LEVELS, type Level } from '../logs/log-line.js';

interface LogsArguments {
  /** The only logs to read; none = those of all services. */
  names: string[];
  /** The least severe level that is shown. */
  level: Level;
  /** Everything since the stack was started, not the last lines alone. */
  sinceStart: boolean;
  /** Goes on with what is written from now on. */
  follow: boolean;
}

const USAGE = `usage: npm run logs -- [name …] [--level warn] [--since-start] [--no-follow]
a name is a service, one replica of it as gateway-2, or a store; a level is one of ${LEVELS.join(', ')}`;

/** Throws, saying how it is used, for arguments that cannot be. */
export function readLogsArguments(args: string[]): LogsArguments {
  const { positionals: names, values } = parse(args);
  const level = LEVELS.find((known) => known === values.level);
  if (!level) throw new Error(`"${values.level}" is not a level\n${USAGE}`);
  return { names, level, sinceStart: values['since-start'], follow: values.follow };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      allowNegative: true,
      options: {
        level: { type: 'string', default: 'trace' },
        'since-start': { type: 'boolean', default: false },
        follow: { type: 'boolean', default: true },
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error });
  }
}
