import { LoadProcess } from './load/load-process.js';
import { progress, stopInTheEnd } from './lifetime.js';
import { type Settlement, openSettlement } from './settlement.js';
import { type RunningStack, startStackProcess } from './stack-process.js';

export interface OpenStack extends RunningStack {
  settlement: Settlement;
  /** Ends it before the benchmark ends, and leaves its folder until then. */
  end: () => Promise<void>;
}

interface Opening {
  /** Puts into its folder what it begins with. */
  fill?: (folder: string) => Promise<void>;
  /** How long `settled` waits. */
  patienceMs?: number;
}

/** Starts a stack, with one replica of each service, that lives as long as the benchmark if it is not ended. */
export async function openStack({ fill, patienceMs }: Opening = {}): Promise<OpenStack> {
  progress('start the stack');
  const starting = startStackProcess(fill);
  stopInTheEnd(starting.stop);
  const running = await starting.ready;
  const settlement = await openSettlement(running.stack, patienceMs);
  stopInTheEnd(settlement.close);
  const end = async () => {
    await settlement.close();
    await starting.end();
  };
  return { ...running, settlement, end };
}

/** Starts a load process that lives as long as the benchmark. */
export function startLoad(): LoadProcess {
  const load = new LoadProcess();
  stopInTheEnd(() => load.stop());
  return load;
}
