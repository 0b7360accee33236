import find from '../shell/nginx-container.sh';
import where from '../shell/nginx-where-it-runs.sh';

/**
 * A server's nginx may run in a container, which is defined in the server's compose file. Name of the container, and of its
 * service in the compose file; `nginx-container.sh` has it, too.
 */
export const NGINX_CONTAINER = 'quarterdeck-nginx';

export const findNginxContainer = find.text;
export const nginxWhereItRuns = where.text;
