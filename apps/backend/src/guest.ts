/** What runs in the threads of `platform/guests`. It loads nothing else of the back end: a guest has to begin quickly. */
import { serveGuests } from './platform/guests/guest.program';

await serveGuests();
