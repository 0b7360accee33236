import { Module } from '@nestjs/common';
import { People } from './people';
import { PeopleController } from './people.controller';

export { People } from './people';
export { IssueSignInLink, personDecider, SignIn, SignOut } from './people.decider';

@Module({ controllers: [PeopleController], providers: [People], exports: [People] })
export class PeopleModule {}
