export { CallRefused, GuestFailure, Guests, type GuestCalls } from './guests';
