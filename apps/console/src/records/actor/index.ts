export { Actor, useActorName } from './Actor';
export { actorsThatAreNoPeople, nameOfActor } from './actor-name';
export { By } from './By';
