/** TypeScript of a snippet to JavaScript with the same lines. */
import { transform } from 'sucrase';

/** The names that a snippet can read. On the line of the snippet's first one, so that lines stay what they are. */
const HEAD = 'async function main({ params, query, body, user, chain, given, now }) {';

export class SyntaxRefused extends Error {
  constructor(
    message: string,
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

/** @throws SyntaxRefused */
export const strip = (ts: string): string => {
  try {
    return transform(`${HEAD}${ts}\n}`, { transforms: ['typescript'], disableESTransforms: true }).code;
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } };
    throw new SyntaxRefused(
      message.replace(/^Error transforming [^:]*: /, '').replace(/\s*\(\d+:\d+\)$/, ''),
      loc?.line,
    );
  }
};
