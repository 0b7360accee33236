import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { nothing } from '@quarterdeck/events/inputs';
import type { PersonView } from '@quarterdeck/projections';
import { Access, CurrentSession } from '../platform/access';
import type { Session } from '../platform/session';
import { valid } from '../platform/validation';
import { People } from './people';

@Controller('person')
export class PeopleController {
  constructor(@Inject(People) private readonly people: People) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', { summary: 'The people of the workspace', receipt: false })
  list(@Body(valid(nothing)) _input: object, @CurrentSession() session: Session): Promise<PersonView[]> {
    return this.people.list(session.workspace);
  }
}
