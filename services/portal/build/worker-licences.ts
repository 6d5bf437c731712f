import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Adds the packages that only workers use to the license file, because Vite lists only those of the pages. */
export function workerLicences(fileName: string): { ofWorkers: Plugin; ofPages: Plugin } {
  const sections = new Map<string, string>();
  return {
    ofWorkers: {
      name: 'worker-licences',
      generateBundle(_options, bundle) {
        for (const file of Object.values(bundle)) {
          for (const id of file.type === 'chunk' ? file.moduleIds : []) {
            if (!id.startsWith('\0') && id.includes('/node_modules/')) note(dirname(id), sections);
          }
        }
      },
    },
    ofPages: {
      name: 'worker-licences-of-pages',
      generateBundle: {
        order: 'post',
        handler(_options, bundle) {
          const notices = bundle[fileName];
          if (notices?.type !== 'asset')
            throw new Error(`${fileName} is missing, so the licenses of workers cannot be added`);
          let text = String(notices.source);
          for (const [heading, section] of sections) if (!text.includes(`\n${heading}`)) text += section;
          notices.source = text;
        },
      },
    },
  };
}

/** Records the package that contains a folder, in Vite's format. */
function note(folder: string, sections: Map<string, string>): void {
  const path = join(folder, 'package.json');
  const { name, version, license, author } = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string; license?: string; author?: string })
    : {};
  // Some packages have a nested package.json that only sets the module type.
  if (name === undefined || version === undefined) return note(dirname(folder), sections);
  const heading = `## ${name} - ${version}`;
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  // The package of saxes has no license file. In that case, name the author and link to the license text.
  const elsewhere = `Copyright ${author}, by https://spdx.org/licenses/${license}.html`;
  const text = file === undefined ? elsewhere : readFileSync(join(folder, file), 'utf8').trim();
  sections.set(heading, `\n${heading}${license === undefined ? '' : ` (${license})`}\n\n${text}\n`);
}
