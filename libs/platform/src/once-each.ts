/** What `derive` gives, each derived once for its object and kept as long as that: for objects that nobody changes. */
export function onceEach<From extends object, To extends object>(derive: (from: From) => To): (from: From) => To {
  const derived = new WeakMap<From, To>();
  return (from) => {
    const known = derived.get(from);
    if (known) return known;
    const value = derive(from);
    derived.set(from, value);
    return value;
  };
}
