/** JSON as bytes, joined of parts that are bytes of JSON already: as texts, those of thousands of rows would be copied again and again. */

const OPEN = Buffer.from('[');
const CLOSED = ']'.charCodeAt(0);

/** One element of an array, ready to be joined: its JSON and a comma. */
export const elementOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)},`);

/** The elements of `toElement`, each made once for its object: for objects that nobody changes. */
export function onceEach<T extends object>(toElement: (value: T) => Buffer): (value: T) => Buffer {
  const made = new WeakMap<T, Buffer>();
  return (value) => {
    const known = made.get(value);
    if (known) return known;
    const element = toElement(value);
    made.set(value, element);
    return element;
  };
}

/** An array of elements. */
export function arrayOf(elements: readonly Buffer[]): Buffer {
  if (elements.length === 0) return Buffer.from('[]');
  const bytes = Buffer.concat([OPEN, ...elements]);
  bytes[bytes.length - 1] = CLOSED;
  return bytes;
}

/** An object with further members, which are JSON already. */
export function objectWith(object: object, members: Readonly<Record<string, Buffer>>): Buffer {
  const head = JSON.stringify(object).slice(0, -1);
  const parts = Object.entries(members).flatMap(([name, json], index) => {
    const comma = index > 0 || head !== '{' ? ',' : '';
    return [Buffer.from(`${comma}"${name}":`), json];
  });
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.from('}')]);
}
