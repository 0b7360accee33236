export { Actor, useActorName } from './Actor';
export { actorName, actorsThatAreNoPeople } from './actor-name';
export { By } from './By';
