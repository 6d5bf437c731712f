/** A reference to a pulled image, and its file. */
export interface ImageReference {
  file: string;
  /** Name with the tag, without the digest. */
  name: string;
  digest: string | null;
}

/** Files with references to images that are pulled rather than built. */
export const IMAGE_FILES = ['docker-compose.yml', 'deploy/Dockerfile'];

const REFERENCE = /^(?:ARG NODE_IMAGE=| +image: )([\w./:-]+?)(?:@(sha256:[a-f0-9]{64}))?$/gm;
/** Whether the image is built from this repository. */
const isOwn = (name: string): boolean => name.startsWith('po/');

/** References to pulled images in a file. */
export const imagesIn = (file: string, text: string): ImageReference[] =>
  [...text.matchAll(REFERENCE)]
    .map(([, name = '', digest = null]) => ({ file, name, digest }))
    .filter(({ name }) => !isOwn(name));

/** Returns the text with these digests, by image name, which replace existing ones. */
export const pinDigests = (text: string, digests: ReadonlyMap<string, string>): string =>
  text.replaceAll(REFERENCE, (line, name: string, before: string | undefined) => {
    const digest = digests.get(name);
    if (digest === undefined) return line;
    return `${before ? line.slice(0, -before.length - 1) : line}@${digest}`;
  });

/** Images without a digest that are not in the list of exceptions, and exceptions that are not needed. */
export function pinProblems(references: readonly ImageReference[], unpinned: Record<string, string>): string[] {
  const open = new Set(references.filter(({ digest }) => digest === null).map(({ name }) => name));
  return [
    ...[...open]
      .filter((name) => !Object.hasOwn(unpinned, name))
      .map((name) => `${name} has no digest: npm run supply-chain -- pin-images`),
    ...Object.keys(unpinned)
      .filter((name) => !open.has(name))
      .map((name) => `${name} is in unpinned-images.json and has a digest or is not used: remove it`),
  ];
}

/** Chart values with the image digests of a release. */
export const releaseValues = (digests: Record<string, string>): string =>
  Object.entries(digests)
    .map(([service, digest]) => `${service}: { image: { digest: '${digest}' } }\n`)
    .join('');
