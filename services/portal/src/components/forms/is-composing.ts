/** Key code of a key that an input method handles. */
const HANDLED = 229;

/** True for a key of IME composition, including the one that ends it, which Safari sends after the end with this code. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === HANDLED;
