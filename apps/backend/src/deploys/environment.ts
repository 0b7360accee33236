/** Environment variables in the forms that docker accepts. Pure. */

export interface Variable {
  key: string;
  value: string;
}

/** docker itself reads these from its environment, or a shell refuses to set them. */
const reserved =
  /^(DOCKER_.*|BUILDKIT_.*|COMPOSE_.*|LD_.*|PATH|HOME|HTTPS?_PROXY|NO_PROXY|UID|EUID|PPID|OPTIND|(SHELL|BASH)OPTS|BASH_.*)$/i;

/** docker reads lines of at most 64 KiB from an environment file. */
const LONGEST_LINE = 60_000;

const isLong = ({ value }: Pick<Variable, 'value'>): boolean =>
  /[\r\n]/.test(value) || Buffer.byteLength(value) > LONGEST_LINE;

/** Why a variable cannot be passed to docker; undefined if it can. */
export const refusedVariable = ({ key, value }: Variable): string | undefined => {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key)) return `${key} cannot be the name of an environment variable`;
  if (value.includes('\0')) return `${key} has a NUL character, which no environment variable can have`;
  if (!isLong({ value })) return undefined;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && !reserved.test(key)
    ? undefined
    : `${key} cannot have a value of several lines or of more than ${LONGEST_LINE} bytes`;
};

/** `docker run --env-file` reads each line literally, without quotes, so multi-line values cannot be in the file. */
export const environmentFile = (variables: readonly Variable[]): string =>
  variables
    .filter((one) => !isLong(one))
    .map(({ key, value }) => `${key}=${value}\n`)
    .join('');

/** Variables with multi-line or very long values, as pairs of arguments. */
export const longVariables = (variables: readonly Variable[]): string[] =>
  variables.filter(isLong).flatMap(({ key, value }) => [key, value]);
