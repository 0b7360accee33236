/** For processes of served APIs, which load no framework. */
export { Outbound, resolveThrough } from './outbound';
export { fetchThrough } from './outbound-fetch';
