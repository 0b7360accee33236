/** The variable PORT: a deploy sets it to the port of the service, whatever a variable of this name says. Pure. */
import type { ServiceOf } from './variables.queries';

/** Why a variable is refused; undefined if it is not PORT, or has the value that the deploy sets. */
export const refusedPortVariable = (
  { key, value }: { key: string; value: string },
  { name, port, packageType }: Pick<ServiceOf, 'name' | 'port' | 'packageType'>,
): string | undefined =>
  key === 'PORT' && value !== String(port) && packageType === 'container'
    ? `a deploy sets PORT to the port of ${name}, which is ${port}: change it there, or use another name`
    : undefined;
