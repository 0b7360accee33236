export { Actor, useActorName } from './Actor';
export { actorsThatAreNoPeople } from './actor-name';
export { By } from './By';
