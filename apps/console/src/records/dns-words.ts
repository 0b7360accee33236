/** The verdict on a DNS answer. Loaded when it is needed: Home needs it only after a check. */
export { dnsInWords, dnsStateOf } from '@quarterdeck/projections';
