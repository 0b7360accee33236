/** A fixed list, because classes of characters differ between runtimes. */
const INVISIBLE = /[\s\p{Cc}\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/u;

/** Spaces, control characters, and characters without width, which come with pasted text. */
export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);
