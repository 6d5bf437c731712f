import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { step } from '#local/progress.js';
import { bundledOf, installProduction, installedLockfile } from './production-tree.js';
import { sbomProblems, schemaProblems } from './sbom-checks.js';
import { billOfMaterials } from './sbom.js';

interface Bills {
  services: readonly string[];
  version: string;
  /** Output folder. */
  out: string;
  /** Folder of the deployed files, such as /app of an image. If absent, the packages are installed as in the Dockerfile. */
  tree?: string;
}

/** Writes `<service>.cdx.json` for each service. Returns the problems of all bills, each as a sentence. */
export async function writeSboms({ services, ...bills }: Bills): Promise<string[]> {
  await mkdir(bills.out, { recursive: true });
  // In parallel, because installing mostly waits for the disk.
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
    return [...schemaProblems(bom), ...sbomProblems(bom, tree)];
  } finally {
    await rm(temporary, { recursive: true });
  }
}
