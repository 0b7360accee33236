/** Exact versions of npm packages. Pure. */

const NAME = String.raw`(?:@[a-z0-9~-][\w.~-]*/)?[a-z0-9~-][\w.~-]*`;
const VERSION = String.raw`\d+\.\d+\.\d+(?:[+-][\w.+-]+)?`;
const INTEGRITY = 'sha512-[A-Za-z0-9+/]{86}==';
/** `@scope/name@1.4.2`, followed by `#sha512-…` if exact contents are required. */
const PACKAGE = new RegExp(`^(${NAME})@(${VERSION})(?:#(${INTEGRITY}))?$`);
const ONE_INTEGRITY = new RegExp(`^${INTEGRITY}$`);

export const isIntegrity = (text: string): boolean => ONE_INTEGRITY.test(text);

export const npmPackage = (
  text: string,
): { name: string; version: string; integrity?: string } | undefined => {
  const [, name, version, integrity] = PACKAGE.exec(text) ?? [];
  if (name === undefined || version === undefined) return undefined;
  return { name, version, ...(integrity !== undefined && { integrity }) };
};
