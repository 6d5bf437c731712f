/** A reference to an image that is pulled, and the file that it stands in. */
export interface ImageReference {
  file: string;
  /** With its tag, without its digest. */
  name: string;
  digest: string | null;
}

/** Where images are named that are pulled and not built here. */
export const IMAGE_FILES = ['docker-compose.yml', 'deploy/Dockerfile'];

const REFERENCE = /^(?:ARG NODE_IMAGE=| +image: )([\w./:-]+?)(?:@(sha256:[a-f0-9]{64}))?$/gm;
/** Built from this repository. */
const isOwn = (name: string): boolean => name.startsWith('po/');

/** The images that a file names. */
export const imagesIn = (file: string, text: string): ImageReference[] =>
  [...text.matchAll(REFERENCE)]
    .map(([, name = '', digest = null]) => ({ file, name, digest }))
    .filter(({ name }) => !isOwn(name));

/** The file with these digests, by the images' names, in place of those that it had. */
export const pinned = (text: string, digests: ReadonlyMap<string, string>): string =>
  text.replaceAll(REFERENCE, (line, name: string, before: string | undefined) => {
    const digest = digests.get(name);
    if (digest === undefined) return line;
    return `${before ? line.slice(0, -before.length - 1) : line}@${digest}`;
  });

/** Which images have no digest without being in the list of those that may, and the other way around. */
export function pinProblems(references: readonly ImageReference[], unpinned: Record<string, string>): string[] {
  const open = new Set(references.filter(({ digest }) => digest === null).map(({ name }) => name));
  return [
    ...[...open]
      .filter((name) => !Object.hasOwn(unpinned, name))
      .map((name) => `${name} has no digest: npm run supply-chain -- pin-images`),
    ...Object.keys(unpinned)
      .filter((name) => !open.has(name))
      .map((name) => `${name} is in unpinned-images.json and has its digest, or is used nowhere: take it out`),
  ];
}

/** Values of the chart that name the images of one release by their digests. */
export const releaseValues = (digests: Record<string, string>): string =>
  Object.entries(digests)
    .map(([service, digest]) => `${service}: { image: { digest: '${digest}' } }\n`)
    .join('');
