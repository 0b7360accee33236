/**
 * Whether a name was typed to confirm. Names were recorded with the spaces around them until the inputs removed those, and
 * nobody sees or types them.
 */
export const isTyped = (name: string, typed: string): boolean => typed.trim() === name.trim();
