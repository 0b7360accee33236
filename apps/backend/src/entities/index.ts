import { Module } from '@nestjs/common';
import { attribute, entity } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { AttributesController } from './attributes.controller';
import { attributeRules, entityRules } from './identifiers';

export { additionsOf, dataModelOf } from './model.queries';

const attributes = plain(attribute, attributeRules);

@Module(plain(entity, entityRules))
export class EntitiesModule {}

@Module({ ...attributes, controllers: [...attributes.controllers, AttributesController] })
export class AttributesModule {}
