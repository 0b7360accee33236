/** Addresses for a program of its own. It loads no framework, and nothing that calls out. */
export { type Address, addressesIn, addressOf } from './outbound-addresses';
