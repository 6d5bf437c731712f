import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { step } from '#local/progress.js';
import { bundledOf, installProduction, installedLockfile } from './production-tree.js';
import { gaps, schemaProblems } from './sbom-checks.js';
import { billOfMaterials } from './sbom.js';

interface Bills {
  services: readonly string[];
  version: string;
  /** The folder that they are written to. */
  out: string;
  /** What is deployed, such as /app of an image; installed as the Dockerfile does if absent. */
  tree?: string;
}

/** Writes `<service>.cdx.json` for each service. Answers what is wrong with them, each as a sentence. */
export async function writeBills({ services, ...bills }: Bills): Promise<string[]> {
  await mkdir(bills.out, { recursive: true });
  // Installing waits for the disk most of the time.
  return (await Promise.all(services.map((service) => writeBill(service, bills)))).flat();
}

async function writeBill(service: string, { version, out, tree: given }: Omit<Bills, 'services'>): Promise<string[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'po-sbom-'));
  try {
    const tree = given ?? temporary;
    if (given === undefined) await step(`install what ${service} needs`, () => installProduction(service, temporary));
    const installed = await installedLockfile(tree);
    const bom = billOfMaterials({ service, version, installed, bundled: bundledOf(tree) });
    await writeFile(join(out, `${service}.cdx.json`), bom);
    return [...schemaProblems(bom), ...gaps(bom, tree)];
  } finally {
    await rm(temporary, { recursive: true });
  }
}
