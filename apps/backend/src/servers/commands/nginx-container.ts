/**
 * A server's nginx may run in a container, which is defined in the server's compose file. Name of the container, and of its
 * service in the compose file. The scripts know it, too (`nginx-container.sh`).
 */
export const NGINX_CONTAINER = 'quarterdeck-nginx';
