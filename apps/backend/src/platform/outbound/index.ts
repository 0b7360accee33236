export { Outbound, OutboundRefused, resolveThrough, type Target } from './outbound';
export { type Address, addressOf, type Family, insideWord } from './outbound-addresses';
export { hostOf, isLocalhost, loopback, readHost } from './outbound-host';
export { answeredOddly, callOut, failureWords, type OutboundAnswer } from './outbound-http';
export { fetchThrough } from './outbound-fetch';
