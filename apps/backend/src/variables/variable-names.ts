/** Determines which variables of an import are kept as secrets by default. Pure. */
import { plainSecretIn } from '@quarterdeck/events';

const SECRET_NAME =
  /pass(word|wd|phrase)?(_|$)|secret|token|credential|private|(^|_)(api_?)?key(_|$)|(^|_)(dsn|pat|salt)(_|$)/i;

export const looksLikeSecret = ({ key, value }: { key: string; value: string }): boolean =>
  SECRET_NAME.test(key) || plainSecretIn(value) !== undefined;
